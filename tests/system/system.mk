# One end of a link, which the system tests start at both ends of the simulated cable.
TOOLS += $(BUILD)/tests/system/linkend
# Who does at a hub what he can against a line.
TOOLS += $(BUILD)/tests/system/attacker
