# The controller's firmware, by avr-gcc. A board's MCU, clock and pins come from boards/BOARD.
BOARD    ?= uno
AVR_CC   ?= avr-gcc
AVR_SIZE ?= avr-size
FIRMWARE := $(BUILD)/firmware/$(BOARD)
FW_MCU   := $(shell sed -n 's/^mcu *//p' boards/$(BOARD)/board.txt)
FW_STORE := bytes
FW_SRC   := $(wildcard firmware/core/*.c firmware/store/$(FW_STORE).c firmware/hal/$(FW_MCU)/*.c)
FW_INC   := $(wildcard firmware/core/*.h firmware/store/*.h firmware/hal/$(FW_MCU)/*.h)
FW_FLAGS := -mmcu=$(FW_MCU) -std=gnu11 -Os -g -flto -fwhole-program -mcall-prologues -mrelax \
            -fshort-enums -fno-tree-scev-cprop -fno-split-wide-types -ffunction-sections \
            -fdata-sections -Wl,--gc-sections -Wall -Wextra -Wshadow -Wstrict-prototypes \
            -Wmissing-prototypes -Wundef $(if $(CI),-Werror) -fdebug-prefix-map="$(CURDIR)=."

# Limits of the design, in bytes: flash with what is copied from it, and static memory.
FW_FLASH := 8192
FW_RAM   := 1024

.PHONY: firmware flash fuses

firmware: $(FIRMWARE)/boothlink.elf ## The controller's firmware; BOARD=uno
	$(Q)$(AVR_SIZE) $< | awk 'NR == 2 { printf "  %s: flash %d of $(FW_FLASH) bytes, memory %d of $(FW_RAM)\n", \
	    "$(BOARD)", $$1 + $$2, $$2 + $$3 }'

flash: ## Load it by the bootloader; BOARD=uno PORT=/dev/ttyACM0
	$(Q)test -n "$(PORT)" || { echo "flash: give PORT=, as in PORT=/dev/ttyACM0" >&2; exit 64; }
	$(Q)tools/deps.sh build flash
	$(Q)$(MAKE) --no-print-directory firmware
	$(Q)avrdude -p $(FW_MCU) -c $$(tools/board.pl get $(BOARD) programmer) \
	    -b $$(tools/board.pl get $(BOARD) baud) -P $(PORT) -D -U flash:w:$(FIRMWARE)/boothlink.elf:e

fuses: ## Write its fuses by an ISP programmer; BOARD=uno ISP=usbasp
	$(Q)test -n "$(ISP)" || { echo "fuses: give ISP=, a programmer of avrdude, as in ISP=usbasp" >&2; exit 64; }
	$(Q)tools/deps.sh build flash
	$(Q)avrdude -p $(FW_MCU) -c $(ISP) $$(tools/board.pl get $(BOARD) fuses)

$(BUILD)/firmware/%/board.h: boards/%/board.txt tools/board.pl
	@mkdir -p $(@D)
	$(call say,BOARD,$<)
	$(Q)tools/board.pl header $* >$@

$(FIRMWARE)/boothlink.elf: $(FW_SRC) $(FW_INC) $(FIRMWARE)/board.h
	$(call say,AVR,$@)
	$(Q)$(AVR_CC) $(FW_FLAGS) -I. -I$(FIRMWARE) -o $@ $(FW_SRC)
