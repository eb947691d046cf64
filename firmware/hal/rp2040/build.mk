# The RP2040, by Debian's gcc-arm-none-eabi, without SDK or libc; loaded by copying a UF2 file.
ARM_CC      ?= arm-none-eabi-gcc
ARM_SIZE    ?= arm-none-eabi-size
ARM_OBJCOPY ?= arm-none-eabi-objcopy
ARM_LD      := firmware/hal/rp2040/rp2040.ld
ARM_FLAGS   := -mcpu=cortex-m0plus -mthumb -DSENTENCE_ROM= -std=gnu11 -Os -g -ffreestanding -nostdlib \
               -fshort-enums -fno-tree-loop-distribute-patterns -ffunction-sections -fdata-sections \
               -Wl,--gc-sections -Wl,--no-warn-rwx-segments -Wl,-T,$(ARM_LD) $(FW_WARN)
UF2         := firmware/hal/rp2040/uf2.pl

rp2040_needs = pico
rp2040_file  = $(board_dir)/boothlink.uf2
rp2040_size  = $(ARM_SIZE) $(board_dir)/boothlink.elf | awk 'NR == 2 { \
    printf "  %s: flash %d bytes, memory %d\n", "$1", $$1 + $$2, $$1 + $$2 + $$3 }'
rp2040_ready = :
rp2040_load  = perl $(UF2) copy $(board_dir)/boothlink.uf2

define rp2040_rules
$(board_dir)/boothlink.elf: $(call fw_src,$1,sectors) $(fw_inc) $(ARM_LD)
	$$(call say,ARM,$$@)
	$$(Q)$$(ARM_CC) $$(ARM_FLAGS) -I. -I$(board_dir) -o $$@ $(call fw_src,$1,sectors) -lgcc

$(board_dir)/boothlink.uf2: $(board_dir)/boothlink.elf $(UF2)
	$$(call say,UF2,$$@)
	$$(Q)$$(ARM_OBJCOPY) -O binary $$< $$(@:.uf2=.bin)
	$$(Q)perl $(UF2) make $$(@:.uf2=.bin) $$@
endef
