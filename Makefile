# boothlink: see `make help`. GNU make.
CC        ?= cc
PKG_CONFIG ?= pkg-config
BUILD     ?= $(if $(SAN),build-san,build)
PREFIX    ?= /usr/local
DESTDIR   ?=
V         ?= 0
Q         := $(if $(filter 1,$(V)),,@)

PKGS      := libserialport libuv ncursesw libsodium jansson inih
TEST_PKGS := cmocka vterm

CFLAGS    ?= -O2 -g
WARN      := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
             -Wwrite-strings -Wvla -Wformat=2 -Wundef $(if $(CI),-Werror)
HARDEN    := -fstack-protector-strong -fPIE $(if $(SAN),,-D_FORTIFY_SOURCE=2)
LDHARDEN  := -pie -Wl,-z,relro,-z,now
# SAN=1 builds with AddressSanitizer and UBSan, into its own folder.
comma     := ,
SANFLAGS  := $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)

PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PKGS) 2>/dev/null)
PKG_LIBS   := $(shell $(PKG_CONFIG) --libs $(PKGS) 2>/dev/null)
ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE -Ihost -I. $(WARN) $(HARDEN) $(SANFLAGS) $(PKG_CFLAGS) -MMD -MP $(CFLAGS)
ALL_LDFLAGS := $(LDHARDEN) $(SANFLAGS) $(LDFLAGS)

SRC  := $(filter-out host/cli/main.c,$(wildcard host/*/*.c))
OBJ  := $(SRC:%.c=$(BUILD)/%.o)
LIB  := $(BUILD)/libboothlink.a
BIN  := $(BUILD)/boothlink
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/test_*.c))

.DEFAULT_GOAL := all
.PHONY: all unit clean help
all: $(if $(wildcard host/cli/main.c),$(BIN),$(LIB)) ## Build everything

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC  $<")
	$(Q)$(CC) $(ALL_CFLAGS) -c $< -o $@

$(LIB): $(OBJ)
	$(if $(Q),@echo "  AR  $@")
	$(Q)rm -f $@ && $(AR) rcs $@ $(OBJ)

$(BIN): $(BUILD)/host/cli/main.o $(LIB)
	$(if $(Q),@echo "  LD  $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS) $(LDLIBS)

$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(LIB)
	$(if $(Q),@echo "  LD  $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS) $$($(PKG_CONFIG) --libs $(TEST_PKGS)) $(LDLIBS)
.SECONDARY:

include tests/sim/sim.mk

unit: $(UNIT) ## Build and run the unit tests
	$(Q)set -e; for t in $(UNIT); do $$t; done

clean: ## Remove what was built
	rm -rf $(BUILD)

help: ## This text
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
