/* Functions of this microcontroller for main.c. */
#ifndef HAL_ATMEGA328P_H
#define HAL_ATMEGA328P_H

void uart_start(void);

/* Sleeps in idle mode until the next interrupt. Interrupts must be enabled. */
void hal_sleep(void);

/* Wakes the main loop; called by interrupts. */
void hal_wake(void);

#endif
