# The ATmega328P, by avr-gcc; loaded by avrdude through the board's bootloader.
AVR_CC    ?= avr-gcc
AVR_SIZE  ?= avr-size
AVR_FLAGS := -mmcu=atmega328p -DSENTENCE_ROM=__flash -std=gnu11 -Os -g -flto -fwhole-program \
             -mcall-prologues -mrelax -fshort-enums -fno-tree-scev-cprop -fno-split-wide-types \
             -ffunction-sections -fdata-sections -Wl,--gc-sections $(FW_WARN)

# Limits of the design, in bytes: flash with what is copied from it, and static memory.
AVR_FLASH := 8192
AVR_RAM   := 1024

atmega328p_needs = flash
atmega328p_file  = $(board_dir)/boothlink.elf
atmega328p_size  = $(AVR_SIZE) $(board_dir)/boothlink.elf | awk 'NR == 2 { \
    printf "  %s: flash %d of $(AVR_FLASH) bytes, memory %d of $(AVR_RAM)\n", "$1", $$1 + $$2, $$2 + $$3 }'
atmega328p_ready = test -n "$(PORT)" || { \
    echo "flash: give PORT=, one of $(or $(wildcard /dev/ttyACM* /dev/ttyUSB*),/dev/ttyACM* or /dev/ttyUSB*: none is plugged in)" >&2; exit 64; }
atmega328p_load  = avrdude -p atmega328p -c $$(tools/board.pl get $1 programmer) \
    -b $$(tools/board.pl get $1 baud) -P $(PORT) -D -U flash:w:$(board_dir)/boothlink.elf:e

define atmega328p_rules
$(board_dir)/boothlink.elf: $(call fw_src,$1,bytes) $(fw_inc)
	$$(call say,AVR,$$@)
	$$(Q)$$(AVR_CC) $$(AVR_FLAGS) -I. -I$(board_dir) -o $$@ $(call fw_src,$1,bytes)
endef

.PHONY: fuses
fuses: ## Write its fuses by an ISP programmer; BOARD=uno ISP=usbasp
	$(Q)test -n "$(ISP)" || { echo "fuses: give ISP=, a programmer of avrdude, as in ISP=usbasp" >&2; exit 64; }
	$(Q)tools/deps.sh build flash
	$(Q)avrdude -p atmega328p -c $(ISP) $$(tools/board.pl get $(BOARD) fuses)
