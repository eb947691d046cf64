# One end of a link, which the system tests start at both ends of the simulated cable; an Entry that
# speaks LPP; who does at a hub what he can against a line; a whole contest in simulated time; and
# who casts ballots; who opens a port by the real libserialport; and what runs a
# program as a systemd unit would.
TOOLS += $(patsubst %,$(BUILD)/tests/system/%,linkend lppclient attacker rehearsal balloter terminals sptest confined boxed)
