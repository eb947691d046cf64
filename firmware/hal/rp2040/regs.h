/* The used registers of the RP2040, each with its section of the RP2040 data sheet. */
#ifndef HAL_RP2040_REGS_H
#define HAL_RP2040_REGS_H

#include <stdint.h>

#define REG(at) (*(volatile uint32_t *)(at))

/* 2.1.2: aliases of a register whose writes set, or clear, only the bits that are 1. */
#define SET(reg)   REG((uint32_t) & (reg) + 0x2000)
#define CLEAR(reg) REG((uint32_t) & (reg) + 0x3000)

/* 2.3.1, SIO: pins */
#define GPIO_IN      REG(0xd0000004)
#define GPIO_OUT_SET REG(0xd0000014)
#define GPIO_OUT_CLR REG(0xd0000018)
#define GPIO_OUT_XOR REG(0xd000001c)
#define GPIO_OE_SET  REG(0xd0000024)

/* 2.4.8: the processor's registers */
#define NVIC_ISER     REG(0xe000e100)
#define NVIC_IPR(irq) REG(0xe000e400 + ((irq) & ~3u))
#define VTOR          REG(0xe000ed08)
#define IRQ_TIMER_0   0
#define IRQ_UART0     20

/* 2.12.8 */
#define CHIP_RESET 0x40064008
#define HAD_POR    (1u << 8)
#define HAD_RUN    (1u << 16)

/* 2.13.5 */
#define PSM_WDSEL REG(0x40010008)
#define PSM_ALL   0x1ffffu
#define PSM_ROSC  (1u << 0)
#define PSM_XOSC  (1u << 1)

/* 2.14.3 */
#define RESETS_RESET REG(0x4000c000)
#define RESETS_DONE  REG(0x4000c008)
#define RESET_IO0    (1u << 5)
#define RESET_PADS0  (1u << 8)
#define RESET_TIMER  (1u << 21)
#define RESET_UART0  (1u << 22)

/* 2.15.7 */
#define CLK_REF_CTRL     REG(0x40008030)
#define CLK_REF_SELECTED REG(0x40008038)
#define CLK_SYS_CTRL     REG(0x4000803c)
#define CLK_SYS_SELECTED REG(0x40008044)
#define CLK_PERI_CTRL    REG(0x40008048)
#define CLK_REF_XOSC     2u
#define CLK_PERI_XOSC    (4u << 5)
#define CLK_PERI_ENABLE  (1u << 11)

/* 2.16.7 */
#define XOSC_CTRL    REG(0x40024000)
#define XOSC_STATUS  REG(0x40024004)
#define XOSC_STARTUP REG(0x4002400c)
#define XOSC_ON      0xfabaa0u /* ENABLE, 1 to 15 MHz */
#define XOSC_STABLE  (1u << 31)

/* 2.19.6 */
#define IO_CTRL(pin) REG(0x40014004 + 8 * (pin))
#define IO_UART      2u
#define IO_SIO       5u
#define PAD(pin)     REG(0x4001c004 + 4 * (pin))
#define PAD_IN       (1u << 6)
#define PAD_PULL_UP  (1u << 3)
#define PAD_SCHMITT  (1u << 1)
#define PAD_4MA      (1u << 4)
#define PAD_12MA     (3u << 4)
#define QSPI_SS_CTRL REG(0x4001800c)
#define QSPI_SS_LOW  (2u << 8)
#define QSPI_SS_HIGH (3u << 8)

/* 4.2.8 */
#define UART_DR   REG(0x40034000)
#define UART_FR   REG(0x40034018)
#define UART_IBRD REG(0x40034024)
#define UART_FBRD REG(0x40034028)
#define UART_LCR  REG(0x4003402c)
#define UART_CR   REG(0x40034030)
#define UART_IFLS REG(0x40034034)
#define UART_IMSC REG(0x40034038)
#define UART_ICR  REG(0x40034044)
#define FR_RXFE   (1u << 4)
#define FR_TXFF   (1u << 5)
#define LCR_FEN   (1u << 4)
#define LCR_8BITS (3u << 5)
#define CR_ON     (1u << 0 | 1u << 8 | 1u << 9)
#define INT_RX    (1u << 4)
#define INT_TX    (1u << 5)
#define INT_RT    (1u << 6)

/* 4.6.5 */
#define TIMER_ALARM0 REG(0x40054010)
#define TIMER_NOW    REG(0x40054028)
#define TIMER_INTR   REG(0x40054034)
#define TIMER_INTE   REG(0x40054038)

/* 4.7.6 */
#define WATCHDOG_CTRL   REG(0x40058000)
#define WATCHDOG_LOAD   REG(0x40058004)
#define WATCHDOG_REASON REG(0x40058008)
#define WATCHDOG_TICK   REG(0x4005802c)
#define WATCHDOG_ENABLE (1u << 30)
#define TICK_ENABLE     (1u << 9)

/* 4.10.13 */
#define SSI_CTRLR0     REG(0x18000000)
#define SSI_CTRLR1     REG(0x18000004)
#define SSI_SSIENR     REG(0x18000008)
#define SSI_SER        REG(0x18000010)
#define SSI_BAUDR      REG(0x18000014)
#define SSI_SR         REG(0x18000028)
#define SSI_DR0        REG(0x18000060)
#define SSI_SPI_CTRLR0 REG(0x180000f4)
#define SR_TFNF        (1u << 1)
#define SR_RFNE        (1u << 3)

#endif
