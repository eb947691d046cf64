# What the golden screens drive in place of a judge's or an entity's terminal.
TOOLS += $(BUILD)/tests/golden/screendemo
