/* Functions of this microcontroller for main.c. */
#ifndef HAL_RP2040_H
#define HAL_RP2040_H

void uart_start(void);
void uart_interrupt(void);

/* From here on the flash memory is used as a device: the program was copied to RAM. */
void flash_start(void);

/* Sleeps until the next interrupt. */
void hal_sleep(void);

/* Wakes the main loop; called by interrupts. */
void hal_wake(void);

void hal_tick(void);

int main(void);

#endif
