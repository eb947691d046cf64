# What the benchmarks share, and what is preloaded into boothlink to slow it down.
BENCH_PROGRAMS := $(filter $(BUILD)/%,$(BENCH))
BENCH_SLOW     := $(BUILD)/tests/bench/slow.so
$(BENCH_PROGRAMS): $(patsubst %,$(BUILD)/tests/bench/%.o,rig pairs peer) | $(BENCH_SLOW)

$(BENCH_SLOW): tests/bench/slow.c
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(COMMON) $(CFLAGS) -shared -fPIC -fvisibility=hidden -o $@ $<

$(BUILD)/tests/bench/bench_start: | $(BUILD)/tests/bench/empty
$(BUILD)/tests/bench/empty: tests/bench/empty.c
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(COMMON) $(LARGE) $(HARDEN) $(SANFLAGS) $(CFLAGS) $(ALL_LDFLAGS) -o $@ $<
