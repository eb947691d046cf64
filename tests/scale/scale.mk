# Many machines at one desk, and the bare log beside it.
SCALE := $(BUILD)/tests/scale/crowd $(BUILD)/tests/scale/bare
SOAK_TOOLS += $(SCALE)
