# The simulated controller: the firmware in libsimavr. controller puts it on a pty; tests link the
# chip alone.
CHIP       := $(BUILD)/tests/sim/controller
CHIP_BOARD := uno
CHIP_ELF   := $(BUILD)/firmware/$(CHIP_BOARD)/boothlink.elf
CHIP_OBJ   := $(patsubst %,$(CHIP)/%.o,chip pins store uart)
CHIP_LIBS  := -lsimavr -lelf -lm
TOOLS      += $(CHIP)/controller

$(CHIP)/%.o: tests/sim/controller/%.c $(BUILD)/firmware/$(CHIP_BOARD)/board.h
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -I$(BUILD)/firmware/$(CHIP_BOARD) -c $< -o $@

$(CHIP)/controller: $(CHIP)/controller.o $(CHIP)/device.o $(CHIP_OBJ) \
    $(patsubst %,$(BUILD)/tests/sim/%.o,control loop options lines) $(BUILD)/host/link/cable.o | $(CHIP_ELF)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(CHIP_LIBS) $(LDLIBS)

# For the demo, which goes on without it where its tools are not.
CHIP_HERE = $(if $(and $(shell command -v $(AVR_CC)),$(wildcard /usr/lib/avr/include/avr/io.h),$(wildcard \
    /usr/include/simavr/sim_avr.h),$(wildcard /usr/include/gelf.h)),$(CHIP)/controller)
# Tests of the firmware have a host beside them, on the chip or on the core compiled for this computer.
# They want the library behind these.
HOST_OBJ   := $(CHIP)/rig.o $(CHIP)/storm.o
CHIP_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_chip*.c tests/unit/test_controller*.c))
CORE_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_watchdog*.c))

$(CHIP)/libchip.a: $(CHIP_OBJ) $(HOST_OBJ)
$(CHIP)/libcore.a: $(patsubst %,$(BUILD)/firmware/core/%.o,watchdog ledger dialogue) $(CHIP)/core.o \
    $(HOST_OBJ)
$(CHIP_TESTS): $(CHIP)/libchip.a | $(CHIP_ELF)
$(CHIP_TESTS): LDLIBS += $(CHIP)/libchip.a $(LIBSUP) $(LIB) $(CHIP_LIBS)
$(CORE_TESTS): $(CHIP)/libcore.a
$(CORE_TESTS): LDLIBS += $(CHIP)/libcore.a $(LIBSUP) $(LIB)

$(BUILD)/tests/fuzz/fuzz_sentence: $(patsubst %,$(BUILD)/fuzz/firmware/core/%.o,watchdog ledger dialogue) \
    $(BUILD)/fuzz/tests/sim/controller/core.o
