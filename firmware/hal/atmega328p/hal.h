/* The parts of this microcontroller as main.c sees them. */
#ifndef HAL_ATMEGA328P_H
#define HAL_ATMEGA328P_H

void uart_start(void);

/* Waits in sleep mode idle for the next interrupt. Interrupts must be on. */
void hal_sleep(void);

/* The main loop is to look. For interrupts. */
void hal_wake(void);

#endif
