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
    $(BUILD)/tests/sim/control.o \
    $(BUILD)/tests/sim/loop.o $(BUILD)/tests/sim/lines.o $(BUILD)/host/link/cable.o | $(CHIP_ELF)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(CHIP_LIBS) $(LDLIBS)

# Tests of the firmware on the chip have a host beside it. It wants the library behind it.
CHIP_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_chip*.c tests/unit/test_controller*.c))
$(CHIP)/libchip.a: $(CHIP_OBJ) $(CHIP)/rig.o
$(CHIP_TESTS): $(CHIP)/libchip.a | $(CHIP_ELF)
$(CHIP_TESTS): LDLIBS += $(LIB) $(CHIP_LIBS)
