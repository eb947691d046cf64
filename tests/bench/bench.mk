# What the benchmarks share.
$(filter $(BUILD)/%,$(BENCH)): $(BUILD)/tests/bench/rig.o
