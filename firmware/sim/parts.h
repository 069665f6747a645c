/* The parts around the Uno as the wiring pictures show them: lamps, buttons, switch, buzzer, strip. For simavr_board.c. */
#ifndef SIM_PARTS_H
#define SIM_PARTS_H

#include <stdbool.h>
#include <stdint.h>

/* Wire them to the processor, with the shift registers or directly. */
void parts_connect(bool direct);

/* The power was off. */
void parts_power_off(void);

/* Hands: contacts that are closed, the mute switch. */
void parts_hold(uint16_t contacts);
void parts_mute(bool on);

/* Drive the processor's inputs; `anew` also those that did not change. */
void parts_drive_inputs(bool anew);

/* Print what changed: L and Z lines; a W line when a strip frame is complete. */
void parts_look_at_outputs(void);
void parts_look_at_strip(void);

#endif
