/* An ATmega328P at 16 MHz in simavr, with its serial line at the true pace. For simavr_board.c and parts.c. */
#ifndef SIM_UNO_H
#define SIM_UNO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim_avr.h"

enum { FREQUENCY = 16000000, CYCLES_US = FREQUENCY / 1000000 };

struct uno_counts { unsigned overruns, received, sent; };

extern avr_t *uno;
extern struct uno_counts uno_counts;

/* The processor with these images in its flash (each may be NULL); false when simavr cannot make it or read them. With a
 * bootloader it starts there. */
bool uno_make(const char *hex, const char *boot);

/* Microseconds since its power came. */
unsigned long long uno_us(void);

/* Power on, or the reset button. */
void uno_reset(bool power);

/* Make the processor hang. */
void uno_jam(void);

/* Let it run up to this cycle. The process ends when the processor crashes. */
void uno_run_to(uint64_t cycle);

/* The longest stretch of memory that was never written. */
unsigned uno_untouched_ram(void);

/* A byte from the computer; it arrives when the line has carried it. */
void uno_hear(uint8_t byte);

/* The cable is out: what is still on the line is lost. */
void uno_forget(void);

/* What the board has sent by now, up to the end of a frame or a pause, and the cycle of its last byte; how many bytes. */
size_t uno_said(uint8_t *bytes, size_t room, uint64_t *when);

#endif
