# Tests of the firmware have a host beside them, on the simulated chip or on the core compiled for this
# computer. They want the library behind these.
HOST_OBJ   := $(BUILD)/tests/chip/rig.o $(BUILD)/tests/chip/storm.o
CHIP_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_chip*.c tests/unit/test_controller*.c))
CORE_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_watchdog*.c))
LIBPICO    := $(BUILD)/tests/chip/libpico.a
PICO_TESTS := $(patsubst tests/pico/%.c,$(BUILD)/tests/pico/pico_%,$(wildcard tests/pico/*.c))
TOOLS      += $(if $(PICO_HERE),$(PICO_TESTS))
LIBCHIP    := $(BUILD)/tests/chip/libchip.a
LIBCORE    := $(BUILD)/tests/chip/libcore.a

$(LIBCHIP): $(CHIP_OBJ) $(HOST_OBJ)
$(LIBCORE): $(patsubst %,$(BUILD)/firmware/%.o,core/watchdog core/ledger core/dialogue core/crc store/bytes) $(BUILD)/tests/chip/core.o \
    $(HOST_OBJ)
$(LIBPICO): $(PICO_OBJ) $(HOST_OBJ)
$(PICO_TESTS): $(BUILD)/tests/pico/pico_%: $(BUILD)/tests/pico/%.o $(LIBPICO) $(LIBSUP) $(LIB) | $(PICO_ELF)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(TEST_LIBS) -lelf -lm $(LDLIBS)
$(CHIP_TESTS): $(LIBCHIP) | $(CHIP_ELF)
$(CHIP_TESTS): LDLIBS += $(LIBCHIP) $(LIBSUP) $(LIB) $(CHIP_LIBS)
$(CORE_TESTS): $(LIBCORE)
$(CORE_TESTS): LDLIBS += $(LIBCORE) $(LIBSUP) $(LIB)

# A store and its memory.
STORE_TESTS := $(foreach s,bytes sectors,$(BUILD)/tests/unit/test_store_$s)
$(STORE_TESTS): $(BUILD)/tests/unit/test_store_%: $(BUILD)/firmware/store/%.o $(BUILD)/tests/chip/store_rounds.o
$(STORE_TESTS): LDLIBS += $(LIBSUP) $(LIB)

$(BUILD)/tests/fuzz/fuzz_sentence: $(patsubst %,$(BUILD)/fuzz/firmware/%.o,core/watchdog core/ledger core/dialogue core/crc store/bytes) \
    $(BUILD)/fuzz/tests/chip/core.o
