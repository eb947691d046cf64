# One end of a link, which the system tests start at both ends of the simulated cable; and an Entry
# that speaks LPP.
TOOLS += $(BUILD)/tests/system/linkend $(BUILD)/tests/system/lppclient
