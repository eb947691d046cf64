/* The rate that a program has set on a serial port: any number of baud, not only those that termios
 * has names for. */
#ifndef VALIDATE_CABLE_RATE_H
#define VALIDATE_CABLE_RATE_H

/* In baud, of what is sent; 0: hung up (B0). 9600 if the descriptor is no terminal. */
unsigned cable_rate(int fd);

#endif
