# Programs of tests/world link what stands in for libuv and for files of the host before the library,
# and libuv not at all: what has no stand-in does not link.
WORLD_OBJ := $(patsubst %,$(BUILD)/tests/world/%.o,world machine uv loop disk files stick serial_port \
    screens network program speaker scene oracles oracle_log controller mishaps play alone seeds)
# A day has the commands of a venue besides.
DAY_OBJ   := $(patsubst %,$(BUILD)/tests/world/%.o,commands typed day_rules day_manager day_people day_oracles \
    day_play day_mishaps day_controller day_desk desk_page)
# And its courier and its desk, but for what starts children, or is a page.
DAY_OBJ   += $(patsubst %,$(BUILD)/host/%.o,courier/program/courier desk/program/desk desk/program/places \
    desk/program/cluster)
WORLD     := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/world/test_*.c))
TOOLS     += $(BUILD)/tests/world/session $(BUILD)/tests/world/day

# The programs that have them, by their names.
OF_DAYS   := %day %days %stick_out %kinds %practice %desk

define world_link
$(call say,LD,$@)
$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(filter-out -luv,$(PKG_LIBS)) $(TEST_LIBS) $(LDLIBS)
endef

$(filter-out $(OF_DAYS),$(WORLD)) $(BUILD)/tests/world/session: $(BUILD)/tests/world/%: $(BUILD)/tests/world/%.o $(WORLD_OBJ) $(LIBSUP) $(LIB)
	$(world_link)
$(filter $(OF_DAYS),$(WORLD)) $(BUILD)/tests/world/day: $(BUILD)/tests/world/%: $(BUILD)/tests/world/%.o $(WORLD_OBJ) $(DAY_OBJ) $(LIBSUP) $(LIB)
	$(world_link)
# Faults planted in the sources, and which oracle finds each: tests/world/mutants/mutants.py.
.PHONY: mutants run-mutants
mutants: ## Plant faults in copies of the sources, and count what each oracle finds; DRAWN=100 SEED=1
	$(Q)tools/deps.sh build test
	$(call again,run-mutants)

run-mutants: $(BUILD)/tests/world/session $(BUILD)/tests/world/day $(WORLD) $(UNIT)
	$(Q)tests/world/mutants/mutants.py --build $(BUILD) --compile '$(CC) $(ALL_CFLAGS)' \
	    --link '$(CC) $(ALL_LDFLAGS)' --objects '$(WORLD_OBJ) $(BUILD)/tests/world/session.o $(LIBSUP) $(LIB)' \
	    --days '$(DAY_OBJ)' --library '$(LIBSUP) $(LIB)' \
	    --unit-libs '$(PKG_LIBS) $(TEST_LATE) $(TEST_LIBS) $(LDLIBS)' \
	    --libs '$(filter-out -luv,$(PKG_LIBS)) $(TEST_LIBS) $(LDLIBS)' --drawn $(or $(DRAWN),100) --seed $(or $(SEED),1) \
	    $(if $(ONLY),--only '$(ONLY)')

# Lines of the running terminals that tests come to: tests/coverage.py.
.PHONY: coverage run-coverage
coverage: ## Lines that unit tests and tests/world come to, room by room; T="system/x ..." besides
	$(Q)tools/deps.sh build test
	$(call again,run-coverage BUILD=build-cov LDFLAGS=--coverage \
	    CFLAGS='-O1 -g --coverage -DCOVERED -fprofile-prefix-map=$(CURDIR)=$(CURDIR)')

run-coverage: $(UNIT) $(WORLD) $(METER) $(if $(T),all $(TOOLS)) $(BUILD)/tests/tools
	$(Q)tests/coverage.py --build $(BUILD) --units '$(UNIT)' --world '$(WORLD)' \
	    --scripts '$(patsubst %,tests/%.sh,$(T))' $(if $(MISSING),--missing)
