/* The parts of this microcontroller as main.c sees them. */
#ifndef HAL_RP2040_H
#define HAL_RP2040_H

void uart_start(void);
void uart_interrupt(void);

/* The flash memory is a device of its own from here on, no longer where the program is read from:
 * the program has been copied into the processor's memory. */
void flash_start(void);

/* Waits for the next interrupt. */
void hal_sleep(void);

/* The main loop is to look. For interrupts. */
void hal_wake(void);

void hal_tick(void);

int main(void);

#endif
