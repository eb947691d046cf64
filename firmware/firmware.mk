# The controller's firmware. A board's MCU, clock and pins come from boards/BOARD. How its MCU is
# compiled for and loaded comes from firmware/hal/MCU/build.mk, which defines for $1, a board:
# MCU_rules, MCU_file (what is loaded), MCU_size and MCU_load (commands), MCU_needs (tools/deps.sh).
BOARD    ?= uno
BOARDS   := $(patsubst boards/%/board.txt,%,$(wildcard boards/*/board.txt))
board_mcu = $(shell sed -n 's/^mcu *//p' boards/$1/board.txt)
board_dir = $(BUILD)/firmware/$1
FW_MCU   := $(if $(filter $(BOARD),$(BOARDS)),$(call board_mcu,$(BOARD)))
FW_WARN  := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef $(if $(CI),-Werror) \
            -fdebug-prefix-map="$(CURDIR)=."
# The sources for a board whose records are kept by firmware/store/$2.c, and what they include.
fw_src    = $(wildcard firmware/core/*.c firmware/store/$2.c firmware/hal/$(call board_mcu,$1)/*.c)
fw_inc    = $(wildcard firmware/core/*.h firmware/store/*.h firmware/hal/$(call board_mcu,$1)/*.h) \
            $(call board_dir,$1)/board.h

.PHONY: firmware flash

include $(wildcard firmware/hal/*/build.mk)
$(foreach b,$(BOARDS),$(eval $(call $(call board_mcu,$b)_rules,$b)))

# One line for a board that there is not.
FW_BOARD = test -n "$(FW_MCU)" || { echo "there is no board $(BOARD): give BOARD= one of $(BOARDS)" >&2; exit 64; }

firmware: $(if $(FW_MCU),$(call $(FW_MCU)_file,$(BOARD))) ## The controller's firmware; BOARD=uno
	$(Q)$(FW_BOARD)
	$(Q)$(call $(FW_MCU)_size,$(BOARD))

flash: ## Load it; BOARD=uno PORT=/dev/ttyACM0
	$(Q)$(FW_BOARD)
	$(Q)$(call $(FW_MCU)_ready)
	$(Q)tools/deps.sh build $($(FW_MCU)_needs)
	$(Q)$(MAKE) --no-print-directory firmware
	$(Q)$(call $(FW_MCU)_load,$(BOARD))

$(BUILD)/firmware/%/board.h: boards/%/board.txt tools/board.pl $(wildcard firmware/hal/*/pins.pm)
	@mkdir -p $(@D)
	$(call say,BOARD,$<)
	$(Q)tools/board.pl header $* >$@
