# One end of a link, which the system tests start at both ends of the simulated cable; an Entry that
# speaks LPP; who does at a hub what he can against a line; who casts ballots, and who signs them; who
# is a place at a desk's nats-server; who opens a port by the real libserialport; transcripts of every
# year; what runs a program as a systemd unit would; and the table of kinds.
TOOLS += $(patsubst %,$(BUILD)/tests/system/%,linkend lppclient attacker balloter signer terminals sptest corpus confined boxed kinds postal)

# In place of a Linux console, into programs without a sanitizer too.
TOOLS += $(BUILD)/tests/system/vt.so
$(BUILD)/tests/system/vt.so: $(BUILD)/tests/system/vt.pic.o
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-z,relro,-z,now $(LDFLAGS) -o $@ $^
