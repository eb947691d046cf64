# Programs of tests/world link what stands in for libuv and for files of the host before the library,
# and libuv not at all: what has no stand-in does not link.
WORLD_OBJ := $(patsubst %,$(BUILD)/tests/world/%.o,world machine uv loop disk serial_port screens \
    scene oracles mishaps play)
WORLD     := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/world/test_*.c))
TOOLS     += $(BUILD)/tests/world/session

$(WORLD) $(BUILD)/tests/world/session: $(BUILD)/tests/world/%: $(BUILD)/tests/world/%.o $(WORLD_OBJ) $(LIBSUP) $(LIB)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(filter-out -luv,$(PKG_LIBS)) $(TEST_LIBS) $(LDLIBS)
