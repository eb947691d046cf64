# The runner's own: it limits and accounts for each test program. It starts once for each, and so
# needs no library.
METER := $(BUILD)/tests/runner/meter
$(METER): $(BUILD)/tests/runner/meter.o
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^

# Waits in place of the scripts: no library that only other commands need.
WATCH := $(BUILD)/tests/runner/watch
TOOLS += $(WATCH)
$(WATCH): $(BUILD)/tests/runner/watch.o $(LIB)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -Wl,--as-needed -o $@ $^ $(call pkg,--libs,libuv) $(LDLIBS)
