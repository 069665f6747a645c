/* What a port must provide: twelve small functions. loop.c calls nothing else of the hardware. */
#ifndef DOMINO_HAL_H
#define DOMINO_HAL_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h" /* struct board_identity, struct board_lamps */

#ifdef __cplusplus
extern "C" {
#endif

void hal_start(struct board_identity *identity); /* set up the pins, all outputs dark, and say who we are */
uint32_t hal_millis(void);
bool hal_read(uint8_t *byte);                    /* false: nothing there */
uint8_t hal_write_room(void);                    /* bytes that hal_write would take without waiting */
void hal_write(const uint8_t *bytes, uint8_t count);
uint16_t hal_contacts(void);                     /* bit seat * 2 + button, 1 is closed */
bool hal_mute_switch(void);
void hal_lamps(struct board_lamps lamps);        /* called when they change */
void hal_buzzer(bool on);                        /* called when it changes */
void hal_rim(const uint8_t *rgb, uint8_t pixels);
void hal_alive(void);                            /* once a turn: feeds the watchdog */
void hal_rest(void);                             /* may sleep until something happens, at most 1 ms */

/* loop.c */
void loop_start(void);
void loop_turn(void);

#ifdef __cplusplus
}
#endif
#endif
