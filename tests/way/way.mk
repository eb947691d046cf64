# The terminals of a line with their functions telling of their calls, for tests/soak/key_way.sh: of
# the rooms that a key goes through, as their sources say and so not optimized. `make check` builds none
# of it, for that takes longer than its tests may.
KEYWAY       := $(BUILD)/way/keyway
KEYWAY_ROOMS := base booth controller entity journal link screen session terminal
KEYWAY_SRC   := $(wildcard $(KEYWAY_ROOMS:%=host/%/*.c)) \
                $(patsubst %,host/cli/%.c,main table judge entity) host/command/command.c \
                host/command/command_line.c
SOAK_TOOLS   += $(KEYWAY)

$(BUILD)/way/host/%.o: host/%.c
	@mkdir -p $(@D)
	$(call say,WAY,$<)
	$(Q)$(CC) $(COMMON) $(PKG_CFLAGS) -O0 -g1 -fPIE -finstrument-functions -c $< -o $@

$(KEYWAY): $(patsubst %.c,$(BUILD)/way/%.o,$(KEYWAY_SRC)) $(BUILD)/tests/way/tracer.o $(LIB)
	$(call say,LD,$@)
	$(Q)$(CC) -pie -o $@ $^ $(PKG_LIBS) $(LDLIBS)

.PHONY: key-way run-key-way
key-way: ## Print the way of a key through the rooms of both terminals, each way
	$(Q)tools/deps.sh build test
	$(call again,run-key-way)

run-key-way: all $(KEYWAY)
	$(Q)BUILD=$(BUILD) VERBOSE=1 tests/soak/key_way.sh
