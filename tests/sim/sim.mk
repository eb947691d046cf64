# The simulated cable: nullmodem, the preloaded shim, and a probe that opens ports by libserialport.
SIM      := $(BUILD)/tests/sim
SIM_OBJ  := $(patsubst %,$(SIM)/%.o,nullmodem port attend wire uart command control lines)
# The shim goes into programs that have no sanitizer, so it has none itself.
SHIM_OBJ := $(patsubst %,$(SIM)/%.pic.o,shim lines)

TOOLS += $(SIM)/nullmodem $(SIM)/shim.so $(SIM)/sptest

.PHONY: sim
sim: $(SIM)/nullmodem $(SIM)/shim.so $(SIM)/sptest ## Build the null-modem simulator

$(SIM)/nullmodem: $(SIM_OBJ)
	$(if $(Q),@echo "  LD  $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^

$(SIM)/sptest: $(SIM)/sptest.o
	$(if $(Q),@echo "  LD  $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $$($(PKG_CONFIG) --libs libserialport)

$(SIM)/%.pic.o: tests/sim/%.c
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC  $<")
	$(Q)$(CC) $(filter-out $(SANFLAGS) -fPIE,$(ALL_CFLAGS)) -U_FORTIFY_SOURCE -fPIC \
	    -fvisibility=hidden -c $< -o $@

$(SIM)/shim.so: $(SHIM_OBJ)
	$(if $(Q),@echo "  LD  $@")
	$(Q)$(CC) -shared -Wl,-z,relro,-z,now $(LDFLAGS) -o $@ $^ -ldl
