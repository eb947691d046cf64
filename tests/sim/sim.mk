# The simulated hub, and the simulated cable: nullmodem, the preloaded shim, and a probe that opens ports by libserialport.
SIM      := $(BUILD)/tests/sim
SIM_OBJ  := $(patsubst %,$(SIM)/%.o,nullmodem port attend wire uart command control loop options lines)
SIM_OBJ  += $(BUILD)/host/link/cable.o
HUB_OBJ  := $(patsubst %,$(SIM)/%.o,hub hub_port control loop options)
SHIM_OBJ := $(patsubst %,$(SIM)/%.pic.o,shim lines cable)
SIM_ALL  := $(SIM)/nullmodem $(SIM)/shim.so $(SIM)/sptest $(SIM)/hub
TOOLS    += $(SIM_ALL)
CABLE    := $(SIM)/nullmodem $(SIM)/shim.so $(SIM)/hub # what the demo needs of it

.PHONY: sim
sim: $(SIM_ALL) ## Build the simulated cable and hub

$(SIM)/nullmodem: $(SIM_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS)

$(SIM)/hub: $(HUB_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS)

$(SIM)/sptest: $(SIM)/sptest.o
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(call pkg,--libs,libserialport) $(LDLIBS)

# The shim goes into programs without a sanitizer too, so it has none itself.
$(SIM)/%.pic.o: tests/sim/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(COMMON) $(CFLAGS) -fPIC -fstack-protector-strong -fvisibility=hidden \
	    -U_FORTIFY_SOURCE -c $< -o $@

$(SIM)/cable.pic.o: host/link/cable.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(COMMON) $(CFLAGS) -fPIC -fstack-protector-strong -fvisibility=hidden \
	    -U_FORTIFY_SOURCE -c $< -o $@

$(SIM)/shim.so: $(SHIM_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-z,relro,-z,now $(LDFLAGS) -o $@ $^
