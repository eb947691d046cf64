# The simulators: the cable, the hub and the controller's chip are programs of their own, so that
# boothlink itself needs no libsimavr; the shim is preloaded into others. What they share with the
# validator, the model of the null modem, is in host/sim/*.c and so in the library.
SIM      := $(BUILD)/sim
SIM_HERE := $(BUILD)/host/sim
SIM_SHARED := $(patsubst %,$(SIM_HERE)/program/%.o,control options program)
SHIM_OBJ := $(patsubst %,$(BUILD)/%.pic.o,host/sim/shim/shim host/sim/lines host/base/cables)
SIM_ALL  := $(SIM)/nullmodem $(SIM)/shim.so $(SIM)/hub
TOOLS    += $(SIM_ALL)

.PHONY: sim
sim: $(SIM_ALL) ## Build the simulated cable and hub

# Those of the library's objects that a program pulls in want no more than libuv.
$(SIM)/nullmodem: $(patsubst %,$(SIM_HERE)/program/%.o,nullmodem command) $(SIM_SHARED) $(LIB)
$(SIM)/hub: $(patsubst %,$(SIM_HERE)/program/%.o,hub hub_port) $(SIM_SHARED) $(LIB)
$(SIM)/nullmodem $(SIM)/hub:
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(call pkg,--libs,libuv) $(LDLIBS)

# The shim goes into programs without a sanitizer too, so it has none itself.
$(BUILD)/%.pic.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(COMMON) $(CFLAGS) -fPIC -fstack-protector-strong -fvisibility=hidden \
	    -U_FORTIFY_SOURCE -c $< -o $@

$(SIM)/shim.so: $(SHIM_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-z,relro,-z,now $(LDFLAGS) -o $@ $^

# The controller: the firmware's own ELF in libsimavr, on a pty. Tests link the chip alone.
CHIP_BOARD := uno
CHIP_ELF   := $(BUILD)/firmware/$(CHIP_BOARD)/boothlink.elf
CHIP_OBJ   := $(patsubst %,$(SIM_HERE)/chip/%.o,chip elf pins pump store uart)
CHIP_LIBS  := -lsimavr -lelf -lm
TOOLS      += $(SIM)/controller

$(SIM_HERE)/chip/%.o: host/sim/chip/%.c $(BUILD)/firmware/$(CHIP_BOARD)/board.h
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -I$(BUILD)/firmware/$(CHIP_BOARD) -c $< -o $@

# The same for a Raspberry Pi Pico, whose processor rp2040js emulates in a process of its own.
PICO_ELF := $(BUILD)/firmware/pico/boothlink.uf2
PICO_OBJ := $(SIM_HERE)/pico/chip.o $(SIM_HERE)/chip/elf.o $(SIM_HERE)/chip/pump.o

$(SIM_HERE)/pico/%.o: host/sim/pico/%.c $(BUILD)/firmware/pico/board.h
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -I$(BUILD)/firmware/pico -DEMULATOR='"$(CURDIR)/host/sim/pico/emulator.mjs"' -c $< -o $@

# Only with a compiler for it.
PICO_HERE := $(if $(and $(shell command -v $(ARM_CC)),$(wildcard /usr/include/gelf.h)),$(SIM)/pico)
TOOLS     += $(PICO_HERE)

$(SIM)/pico: $(SIM_HERE)/chip/controller.o $(SIM_HERE)/chip/device.o $(PICO_OBJ) $(SIM_SHARED) $(LIB) | $(PICO_ELF)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ -lelf -lm $(call pkg,--libs,libuv) $(LDLIBS)

$(SIM)/controller: $(SIM_HERE)/chip/controller.o $(SIM_HERE)/chip/device.o $(CHIP_OBJ) $(SIM_SHARED) $(LIB) \
    | $(CHIP_ELF)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(CHIP_LIBS) $(call pkg,--libs,libuv) $(LDLIBS)

.PHONY: simulated-controller
simulated-controller: $(SIM)/controller

# For the demo, which goes on without it where its tools are not.
CHIP_HERE = $(if $(and $(shell command -v $(AVR_CC)),$(wildcard /usr/lib/avr/include/avr/io.h),$(wildcard \
    /usr/include/simavr/sim_avr.h),$(wildcard /usr/include/gelf.h)),$(SIM)/controller)
