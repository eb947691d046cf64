# boothlink: see `make help`. GNU make.
#
#   make V=1            shows the commands
#   make SAN=1 ...      builds with AddressSanitizer and UBSan, into build-san
#   make CI=1 ...       takes warnings for errors
#   make install DESTDIR=... PREFIX=...
#
# Every host/*/*.c goes into the library, main.c apart, with the controller's sentences, so that tests
# link all the rest; the simulators' programs are a folder deeper. Tests are found by their names; a
# folder of tests that needs rules of its own has them in tests/X/*.mk.

PKG_CONFIG ?= pkg-config
FUZZ_CC    ?= clang
BUILD      ?= $(if $(SAN),build-san,build)
PREFIX     ?= /usr/local
DESTDIR    ?=
V          ?= 0
Q          := $(if $(filter 1,$(V)),,@)
say         = $(if $(Q),@printf '  %-5s %s\n' $(1) $(2))

PKGS      := libuv libsodium jansson libutf8proc
# Loaded by those who need them (host/late); GLPK, too, which has no .pc file.
LATE_PKGS := libserialport libpcap libwebsockets ncursesw inih sqlite3 vterm libseccomp libpcre2-32
TEST_PKGS := cmocka
# Of boothlink-form and its tests alone.
FORM_PKGS := libxml-2.0 libcurl

CFLAGS    ?= -O2 -g
WARN      := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
             -Wwrite-strings -Wvla -Wformat=2 -Wundef $(if $(CI),-Werror)
# glibc has no fortified functions without optimization, and ASan replaces them.
HARDEN    := -fPIE -fstack-protector-strong \
             $(if $(SAN)$(findstring -O0,$(CFLAGS)),,-D_FORTIFY_SOURCE=2)
LDHARDEN  := -pie -Wl,-z,relro,-z,now
comma     := ,
percent   := %
SANFLAGS  := $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all \
             -fno-omit-frame-pointer)
# No path of the machine in what is built, so that builds can be compared.
COMMON    := -std=gnu11 -D_GNU_SOURCE -DSENTENCE_ROM= -Ihost -I. -I$(BUILD) -ffile-prefix-map="$(CURDIR)=." $(WARN) -MMD -MP

# Asked once, and only when something is compiled: a fresh machine has no pkg-config yet.
PKG_CFLAGS = $(eval PKG_CFLAGS := $(call pkg,--cflags,$(PKGS) $(LATE_PKGS) $(FORM_PKGS) libnats))$(PKG_CFLAGS)
NATS_LIBS  = $(eval NATS_LIBS := $(call pkg,--libs,libnats))$(NATS_LIBS)
FORM_LIBS  = $(eval FORM_LIBS := $(call pkg,--libs,$(FORM_PKGS)))$(FORM_LIBS)
PKG_LIBS   = $(eval PKG_LIBS := $(call pkg,--libs,$(PKGS)) -lm)$(PKG_LIBS)
LATE_LIBS  = $(eval LATE_LIBS := $(call pkg,--libs,$(LATE_PKGS)) -lglpk)$(LATE_LIBS)
# A test may call one of them itself.
TEST_LATE  = -Wl,--as-needed $(LATE_LIBS) -Wl,--no-as-needed
TEST_LIBS  = $(eval TEST_LIBS := $(call pkg,--libs,$(TEST_PKGS)))$(TEST_LIBS)
pkg        = $(if $(shell $(PKG_CONFIG) --exists $(2) && echo yes),$(shell $(PKG_CONFIG) $(1) $(2)),\
             $(error libraries are missing; "make deps" installs them))
# clang has it for some processors only, and warns.
CLASH      = $(eval CLASH := $(shell $(CC) -Werror -fstack-clash-protection -x c -S -o - /dev/null \
             >/dev/null 2>&1 && echo -fstack-clash-protection))$(CLASH)
# With 32 bits in a pointer: a disk whose files have numbers of 64 bits is no fault, nor is a long file.
LARGE      = $(eval LARGE := $(shell echo __SIZEOF_POINTER__ | $(CC) -E -P - | grep -q 4 && \
             echo -D_FILE_OFFSET_BITS=64))$(LARGE)
ALL_CFLAGS  = $(COMMON) $(LARGE) $(HARDEN) $(CLASH) $(SANFLAGS) $(PKG_CFLAGS) $(CFLAGS)
ALL_LDFLAGS = $(LDHARDEN) $(SANFLAGS) $(LDFLAGS)

SRC     := $(filter-out host/cli/main.c,$(wildcard host/*/*.c firmware/core/*.c) firmware/store/bytes.c)
# Sources that the build makes.
GEN     := $(BUILD)/gen/rulesets.c $(BUILD)/gen/pages.c $(BUILD)/gen/web.c $(BUILD)/gen/player.c \
           $(BUILD)/gen/form.c $(BUILD)/gen/desk_page.c $(BUILD)/gen/audience_page.c \
           $(BUILD)/gen/referee_page.c
OBJ     := $(SRC:%.c=$(BUILD)/%.o) $(GEN:%.c=%.o)
LIB     := $(BUILD)/libboothlink.a
BIN     := $(BUILD)/boothlink
ADAPTERS := $(patsubst host/adapter/%/,$(BUILD)/boothlink-%,$(wildcard host/adapter/*/))
COURIER := $(BUILD)/boothlink-courier
DESKD   := $(BUILD)/boothlink-desk
AUDIENCE := $(BUILD)/boothlink-audience
REFEREE := $(BUILD)/boothlink-referee
# What runs a program that was built for another processor, as the manual's: qemu-aarch64-static.
EMULATOR ?=
SHARE   := $(BUILD)/share
SUPPORT := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/support/*.c))
LIBSUP  := $(if $(SUPPORT),$(BUILD)/tests/libsupport.a)
UNIT    := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_*.c))
FUZZ    := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))
BENCH   := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/bench/bench_*.c))
# A script is a test, or a benchmark, if it may be executed; others are parts of tests.
scripts  = $(sort $(shell find $(addprefix tests/,$(1)) -name '$(2)' -type f -perm -u+x 2>/dev/null))
SCRIPTS := tests/arrows.sh $(call scripts,golden system,*.sh)
BENCH   += $(call scripts,bench,bench_*.sh)
SOAKS   := $(call scripts,soak,*.sh)
TOOLS   := # programs that tests need; the .mk files add theirs
SOAK_TOOLS := # that tests need which `make check` does not run
-include firmware/firmware.mk host/sim/sim.mk $(wildcard tests/*/*.mk)

.DEFAULT_GOAL := all
.PRECIOUS: $(BUILD)/%.o $(BUILD)/fuzz/%.o
.DELETE_ON_ERROR:
.PHONY: all unit check test demo rehearsal bench soak fuzz lint deps install deb image venue venue-check check-packages check-upgrade check-arch uninstall wiring clean help \
        run-check run-test run-demo run-rehearsal run-bench run-soak run-fuzz run-lint run-venue run-venue-check

all: $(BIN) $(ADAPTERS) $(COURIER) $(DESKD) $(AUDIENCE) $(REFEREE) $(SHARE)/.made $(SIM_ALL) ## Build the program, its manual and the simulated cable

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -c $< -o $@

$(BUILD)/gen/%.o: $(BUILD)/gen/%.c
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -c $< -o $@

RULESETS := $(sort $(wildcard host/share/rulesets/*.ini))
$(BUILD)/gen/rulesets.c: Makefile tools/texts.sh $(RULESETS)
	@mkdir -p $(@D)
	$(Q)tools/texts.sh rules/rulesets.h ruleset_texts .ini $(RULESETS) >$@

# The pages that are not made of the table of commands, so that `boothlink help` has them.
PAGES := $(sort $(wildcard host/share/man/*.[57]))
$(BUILD)/gen/pages.c: Makefile tools/texts.sh $(PAGES)
	@mkdir -p $(@D)
	$(Q)tools/texts.sh base/manual_page.h manual_pages '' $(PAGES) >$@

# The page in a browser.
WEB := $(sort $(wildcard host/web/page.* host/web/door.js))
$(BUILD)/gen/web.c: Makefile tools/texts.sh $(WEB)
	@mkdir -p $(@D)
	$(Q)tools/texts.sh web/files.h web_files '' $(WEB) >$@

# The manager's page of the desk.
DESK_PAGE := $(sort $(wildcard host/desk/page.*)) host/web/door.js
$(BUILD)/gen/desk_page.c: Makefile tools/texts.sh $(DESK_PAGE)
	@mkdir -p $(@D)
	$(Q)tools/texts.sh desk/page_files.h desk_page_files '' $(DESK_PAGE) >$@

# The audience's, and the referee's.
CONVERSATION := $(addprefix host/desk/conversation.,css js)
AUDIENCE_PAGE := $(addprefix host/desk/audience/page.,html js) $(CONVERSATION)
$(BUILD)/gen/audience_page.c: Makefile tools/texts.sh $(AUDIENCE_PAGE)
	@mkdir -p $(@D)
	$(Q)tools/texts.sh desk/audience/page_files.h audience_page_files '' $(AUDIENCE_PAGE) >$@

REFEREE_PAGE := $(addprefix host/desk/referee/page.,html css js) $(CONVERSATION) host/web/door.js
$(BUILD)/gen/referee_page.c: Makefile tools/texts.sh $(REFEREE_PAGE)
	@mkdir -p $(@D)
	$(Q)tools/texts.sh desk/referee/page_files.h referee_page_files '' $(REFEREE_PAGE) >$@

# What plays a transcript that is a page.
PLAYER := $(sort $(wildcard host/transcript/player.css host/transcript/player.js))
$(BUILD)/gen/player.c: Makefile tools/texts.sh $(PLAYER)
	@mkdir -p $(@D)
	$(Q)tools/texts.sh transcript/player_page.h player_pages '' $(PLAYER) >$@

# The template of a form that is taken where none is given.
$(BUILD)/gen/form.c: Makefile tools/texts.sh host/form/page.html
	@mkdir -p $(@D)
	$(Q)tools/texts.sh form/page.h form_pages .html host/form/page.html >$@

# What is made of the tables in wiring/; the simulated cable is made of the same rows.
$(BUILD)/gen/cables.inc: wiring/cables.txt wiring/box.txt wiring/controller.txt wiring/connectors.txt \
    tools/wiring.pl tools/wiring/Tables.pm tools/wiring/Circuit.pm
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(Q)tools/wiring.pl cables >$@
$(patsubst %,$(BUILD)/%,host/base/cables.o fuzz/host/base/cables.o host/base/cables.pic.o): \
    $(BUILD)/gen/cables.inc

# The libraries that are loaded late, as the linker knows them: names of files for host/late, and for
# debian/rules the packages.
LATE_SO := $(BUILD)/late.so
$(LATE_SO): host/late/linked/linked.c
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(COMMON) $(LARGE) $(PKG_CFLAGS) -fPIC -shared -Wl,-z,defs -Wl,--as-needed $(LDFLAGS) -o $@ $< $(LATE_LIBS)
-include $(BUILD)/late.d
$(BUILD)/gen/late.h: $(LATE_SO)
	@mkdir -p $(@D)
	$(Q)LC_ALL=C readelf -d $< | sed -nE 's/.*\(NEEDED\).*\[lib(([a-z0-9]+)[^]]*)\]/#define LATE_FILE_\U\2\E "lib\1"/p' >$@
$(patsubst %,$(BUILD)/%,host/late/late.o fuzz/host/late/late.o): $(BUILD)/gen/late.h

map: ## Draw the layers of rooms, from the sources, into DESIGN.md
	$(Q)tools/rooms.py --write

wiring: ## Draw the cables and the controller's circuit, into build/wiring
	$(Q)rm -rf $(BUILD)/wiring && mkdir -p $(BUILD)/wiring
	$(Q)tools/wiring.pl draw $(BUILD)/wiring
	$(call say,WIRE,$(BUILD)/wiring/index.html)

$(LIB): $(OBJ)
$(LIBSUP): $(SUPPORT)
$(BUILD)/%.a:
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BIN): $(BUILD)/host/cli/main.o $(LIB)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS) $(LDLIBS)

# Each adapter (host/adapter) is a program of its own, of a folder there: boothlink needs none of its
# libraries, and strangers' bytes are read in no terminal's process.
.SECONDEXPANSION:
$(ADAPTERS): $(BUILD)/boothlink-%: $$(patsubst host/$$(percent).c,$(BUILD)/host/$$(percent).o,$$(wildcard host/adapter/$$*/*.c)) $(LIB)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ -Wl,--as-needed $(PKG_LIBS) $(FORM_LIBS) $(LDLIBS)

# The ends of the venue's network, which alone are linked with the library of NATS.
NATS := $(patsubst host/%.c,$(BUILD)/host/%.o,$(wildcard host/post/nats/*.c))
$(COURIER): $(patsubst host/%.c,$(BUILD)/host/%.o,$(wildcard host/courier/program/*.c)) $(NATS) $(LIB)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(NATS_LIBS) $(call pkg,--libs,libsodium libuv) $(LDLIBS)

$(DESKD): $(patsubst host/%.c,$(BUILD)/host/%.o,$(wildcard host/desk/program/*.c)) $(NATS) $(LIB)
$(REFEREE): $(patsubst host/%.c,$(BUILD)/host/%.o,$(wildcard host/desk/referee/*.c)) $(NATS) $(LIB)
$(DESKD) $(REFEREE):
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(NATS_LIBS) -Wl,--as-needed $(PKG_LIBS) $(LDLIBS)

$(AUDIENCE): $(patsubst host/%.c,$(BUILD)/host/%.o,$(wildcard host/desk/audience/*.c)) $(LIB)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ -Wl,--as-needed $(PKG_LIBS) $(LDLIBS)

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(LIBSUP) $(LIB)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS) $(TEST_LATE) $(if $(findstring /test_form,$@),$(FORM_LIBS)) $(if $(findstring /postal,$@)$(findstring /crowd,$@),$(NATS_LIBS)) $(TEST_LIBS) $(LDLIBS)

# The fuzzers and a library of their own are clang's, always with the sanitizers.
FUZZFLAGS := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -Wno-error \
             -Wno-format-nonliteral
$(BUILD)/fuzz/%.o: %.c
	@mkdir -p $(@D)
	$(call say,FUZZ,$<)
	$(Q)$(FUZZ_CC) $(COMMON) $(FUZZFLAGS) -fsanitize=fuzzer-no-link $(PKG_CFLAGS) -c $< -o $@

$(BUILD)/fuzz/gen/%.o: $(BUILD)/gen/%.c
	@mkdir -p $(@D)
	$(call say,FUZZ,$<)
	$(Q)$(FUZZ_CC) $(COMMON) $(FUZZFLAGS) -fsanitize=fuzzer-no-link $(PKG_CFLAGS) -c $< -o $@

$(BUILD)/fuzz/libboothlink.a: $(GEN:$(BUILD)/%.c=$(BUILD)/fuzz/%.o) $(patsubst %.c,$(BUILD)/fuzz/%.o,$(SRC) $(wildcard tests/support/*.c))

$(BUILD)/tests/fuzz/fuzz_%: $(BUILD)/fuzz/tests/fuzz/fuzz_%.o $(BUILD)/fuzz/libboothlink.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(FUZZ_CC) $(FUZZFLAGS) -fsanitize=fuzzer -o $@ $^ $(PKG_LIBS) $(if $(findstring /fuzz_form,$@),$(FORM_LIBS))

# The manual pages and the completion are printed by the program, out of its table of commands.
$(SHARE)/.made: $(BIN)
	$(call say,MAN,$(SHARE)/man)
	$(Q)rm -rf $(SHARE) && mkdir -p $(SHARE)/man/man1
	$(Q)$(EMULATOR) $(BIN) help --man >$(SHARE)/man/man1/boothlink.1
	$(Q)set -e; for c in $$($(EMULATOR) $(BIN) help --names); do \
	    $(EMULATOR) $(BIN) help --man $$c >$(SHARE)/man/man1/boothlink-$$c.1; done
	$(Q)$(EMULATOR) $(BIN) help --completion bash >$(SHARE)/boothlink.bash
	@touch $@

# These install what they lack and then start make afresh, with all the cores if not told.
again = $(Q)+$(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc)) $(1)

deps: ## Install the Debian packages that are missing; BROWSER=1 Chromium, NPM=1 a client library, DEB=1 those of packages, VENUE=1 of machines
	$(Q)tools/deps.sh build test demo lint $(if $(BROWSER),browser) $(if $(NPM),pico) $(if $(DEB),deb cross) $(if $(VENUE),deb cross image venue)
	$(Q)$(if $(NPM),tools/npm.sh)

check: ## Build and run the tests; STALL=1: with processes stopped at random
	$(Q)tools/deps.sh build test
	$(call again,run-check)

test: ## Build what one test needs and run it: T=golden/screens, T="unit/test_page arrows"
	$(Q)tools/deps.sh build test
	$(call again,run-test)

demo: ## A judge and an Entry on a simulated line; HEADLESS=1, MEDIUM=ethernet
	$(Q)tools/deps.sh build demo
	$(Q)tools/deps.sh chip || echo 'demo: goes on without the controller'
	$(call again,run-demo)

rehearsal: ## A contest at a simulated venue: RULESET=loebner-2009 BOOTHS=4 HEADLESS=1 PICOS=1 DESK=1 CONTROLLERS=no; SEED=n: with faults
	$(Q)tools/deps.sh build test
	$(call again,run-rehearsal)

.PHONY: pictures run-pictures
pictures: ## Photograph the screens in every style and size, into build/pictures
	$(Q)tools/deps.sh build test browser
	$(call again,run-pictures)

bench: ## Measure; the rows go to build/bench.json
	$(Q)tools/deps.sh build test
	$(call again,run-bench)

soak: ## The long tests: tens of minutes
	$(Q)tools/deps.sh build test
	$(call again,run-soak)

fuzz: ## Run each fuzzer for a minute, or for FUZZ_SECONDS
	$(Q)tools/deps.sh build test
	$(call again,run-fuzz)

lint: ## Check format, scripts and manual pages; cppcheck
	$(Q)tools/deps.sh build test lint
	$(call again,run-lint)

unit: $(UNIT) $(METER) ## Build and run the unit tests alone
	$(Q)BUILD=$(BUILD) tests/run $(UNIT)

# For tests/run, which tells what is not built.
$(BUILD)/tests/tools: $(MAKEFILE_LIST)
	@mkdir -p $(@D)
	$(Q)printf '%s\n' $(abspath $(BIN) $(TOOLS)) >$@

# T names tests by their paths below tests/, without .sh.
ONE      := $(foreach t,$(T),$(if $(filter unit/% fuzz/% world/%,$t),$(BUILD)/tests/$t,tests/$t.sh))
UNKNOWN   = $(strip $(foreach t,$(T),$(if $(wildcard tests/$t.sh tests/$t.c),,$t)))
ONE_NEEDS = $(filter $(BUILD)/%,$(ONE)) $(foreach t,$(filter %.sh,$(ONE)),all $(shell tests/needs $t $(TOOLS) $(SOAK_TOOLS)))
run-test: $(if $(filter run-test,$(MAKECMDGOALS)),$(ONE_NEEDS)) $(METER) | $(BUILD)/tests/tools
	$(Q)test -n "$(T)" || { echo 'test: give T=, as in T=golden/screens' >&2; exit 64; }
	$(Q)test -z "$(UNKNOWN)" || { echo 'test: there is no $(UNKNOWN) below tests/' >&2; exit 64; }
	$(Q)BUILD=$(BUILD) tests/run $(ONE)

# The fuzzers bring their own sanitizers: once is enough. With sanitizers a script takes its time.
run-check: all $(TOOLS) $(METER) $(UNIT) $(WORLD) $(if $(SAN),,$(FUZZ)) $(BUILD)/tests/tools
	$(Q)BUILD=$(BUILD) $(if $(SAN),BUDGET=0) tests/run $(SCRIPTS) $(if $(SAN),,$(FUZZ)) $(UNIT) $(WORLD)

run-demo: all $(CHIP_HERE)
	$(Q)$(BIN) demo $(if $(HEADLESS),--headless) $(if $(MEDIUM),--medium $(MEDIUM))

run-rehearsal: all $(SIM)/controller $(if $(PICOS),$(SIM)/pico)
	$(Q)$(if $(PICOS),tools/npm.sh)
	$(Q)tests/rehearsal/rehearsal.py --build $(BUILD) --ruleset $(or $(RULESET),loebner-2009) \
	    --booths $(or $(BOOTHS),4) --seed $(or $(SEED),1) $(if $(HEADLESS),,--verbose) $(if $(PICOS),--picos $(PICOS)) \
	    $(if $(DESK),--desk) $(if $(filter no,$(CONTROLLERS)),--no-controllers) \
	    $(if $(SEED)$(FAULTS),--faults $(FAULTS))

PICTURES := $(call scripts,pictures,*.sh)
run-pictures: all $(BUILD)/tests/golden/screendemo
	$(Q)set -e; for p in $(PICTURES); do BUILD=$(BUILD) $$p; done

run-bench: all $(TOOLS) $(filter $(BUILD)/%,$(BENCH))
	$(Q)BUILD=$(BUILD) tests/bench/run $(BENCH)

# What make check has a short form of: all of it under SOAK=1.
SOAK_SYSTEM := $(addprefix tests/system/,contests_random.sh sweep.sh pico.sh validate_comms.sh)
SOAK_UNIT := $(addprefix $(BUILD)/tests/unit/test_,session_storm session_sequences schedule contest_plan cut_collect \
    cut_sticks cut_inbox cut_giving)
run-soak: all $(METER) $(TOOLS) $(SOAK_TOOLS) $(SOAK_UNIT) $(CHIP_TESTS) $(CORE_TESTS) $(filter $(BUILD)/%,$(BENCH))
	$(Q)BUILD=$(BUILD) SOAK=1 TIMEOUT=7200 BUDGET=0 JOBS=1 tests/run $(SOAKS) $(SOAK_SYSTEM) $(SOAK_UNIT)

run-venue-check: all $(SIM)/controller
	$(Q)tools/venue.sh $(BUILD) arm64 $(filter kiosk,$(STEPS))
	$(Q)tests/venue/venue.py --build $(BUILD) check $(STEPS)

run-fuzz: $(FUZZ) $(METER)
	$(Q)BUILD=$(BUILD) BUDGET=0 FUZZ_SECONDS=$(or $(FUZZ_SECONDS),60) tests/run $(FUZZ)

run-lint: all $(METER)
	$(Q)BUILD=$(BUILD) TIMEOUT=600 BUDGET=0 tests/run tools/lint.sh

install: all ## Install under PREFIX, in DESTDIR
	$(Q)tools/install.sh install "$(DESTDIR)" "$(PREFIX)" $(BUILD)

deb: ## Debian packages, into build/deb; ARCH=arm64 or armhf for other machines
	$(Q)tools/deps.sh build deb $(if $(ARCH),cross)
	$(Q)tools/deb.sh $(BUILD) $(ARCH)

image: ## A machine's disk: ARCH=arm64 ROLE=booth, OVERLAY=folder of files that are laid over it
	$(Q)tools/deps.sh cross image
	$(Q)tools/image.sh $(BUILD) $(or $(ARCH),arm64) $(or $(ROLE),booth) $(OVERLAY)

run-venue: all
	$(Q)tools/venue.sh $(BUILD) arm64
	$(Q)tests/venue/venue.py --build $(BUILD) --entities $(or $(ENTITIES),2) look

venue: ## A judge and two entities (ENTITIES=1: one) in QEMU, connected, to look at and to type at
	$(Q)tools/deps.sh build deb cross image venue
	$(call again,run-venue)

venue-check: ## Machines in QEMU, from power-on through faults: an hour; STEPS=kiosk: the browser's too
	$(Q)tools/deps.sh build deb cross image venue
	$(call again,run-venue-check)

check-packages: ## Are the packages the same bytes twice, and is lintian content?
	$(Q)tools/deps.sh build deb
	$(Q)tools/check_packages.sh $(BUILD)

check-upgrade: ## The package of the commit before (or of COMMIT) in use, this one installed over it
	$(Q)tools/deps.sh build deb cross
	$(Q)tools/upgrade.sh $(COMMIT)

check-arch: ## The unit tests on ARCH=arm64 or armhf (default: both), emulated; no warning of gcc and clang
	$(Q)tools/deps.sh build cross
	$(Q)for arch in $(or $(ARCH),arm64 armhf); do tools/arch.sh $(BUILD) $$arch || exit; done

uninstall: ## Remove what install put there
	$(Q)tools/install.sh uninstall "$(DESTDIR)" "$(PREFIX)"

clean: ## Remove what was built
	rm -rf build build-san $(BUILD)

help: ## This text
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

-include $(shell find $(BUILD) \( -name trees -o -name deb -o -name image -o -name venue \) -prune -o -name '*.d' -type f -print 2>/dev/null)
