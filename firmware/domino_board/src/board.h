/* The board: what it was told, what was pressed, what its outputs are at a given time.
 *
 * Pure state: no hardware, no clock (time is passed in), no heap. loop.c carries it between the wire and the pins.
 * Start reading at board_receive(), then board_lit_lamps() and board_step().
 */
#ifndef DOMINO_BOARD_H
#define DOMINO_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "frame.h"
#include "protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BUTTONS_MAX = SEATS_MAX * BUTTONS_A_SEAT,
    LIGHTS_MAX = SEATS_MAX + 1, /* the last light of a state is the table's */
    TABLE_LAMP = SEATS_MAX      /* its bit in struct board_lamps, whatever the number of seats */
};

struct board_identity {
    uint8_t variant;
    uint8_t seats;
    uint8_t rim;          /* longest strip this port can drive, 0 without */
    uint8_t reset_cause;
    uint16_t session;     /* differs between one life and the next */
};

struct board_light { uint8_t colour, pattern; };
struct board_span { uint8_t start, length, colour, pattern; };

struct board_shown {
    uint8_t seats, rim, spans_count;
    bool mute;
    struct board_light lights[LIGHTS_MAX];
    struct board_span spans[SPANS_MAX];
};

struct board_press { uint8_t what; uint32_t at_ms; };

struct board_contact { uint8_t count; bool down; };

struct board_lamps { uint16_t red, green, blue; }; /* bit n: seat n; bit TABLE_LAMP: the table */

struct board {
    struct board_identity identity;
    struct frame_decoder decoder;
    uint32_t now_ms;

    struct board_shown shown;
    uint32_t changed_ms;   /* patterns start again here, so that a new light is lit at once */
    uint32_t heard_ms;     /* last STATE that was obeyed */
    bool idle;             /* nothing heard for FAILSAFE_MS, or never anything */
    bool rim_due;          /* paint now: the computer is waiting for the ACK and sends nothing */

    uint16_t tune;
    uint8_t tune_count;
    bool tune_known;       /* a first STATE is taken over silently */
    uint32_t tune_ms;
    bool muted_here;

    struct board_contact contacts[BUTTONS_MAX];
    uint32_t sampled_ms;
    struct board_press queue[QUEUE_MAX];
    uint8_t queue_head, queue_count;
    uint16_t first_event;  /* number of the press at queue_head */
    uint16_t dropped;      /* presses that found the queue full */
    uint32_t events_ms;    /* when they were last sent */
    bool events_due;
    bool greeted;          /* a computer that knows this protocol is there */

    uint16_t bad_frames;
    bool info_due, ack_due, refused_due, was_idle;
    uint8_t info_sequence, ack_sequence, refused_sequence, refused_reason;
};

void board_start(struct board *board, const struct board_identity *identity, uint32_t now_ms);

/* Take one byte from the computer. True when it completed a frame that was obeyed or needs an answer: then set the
 * outputs and send what board_answer() gives before taking more. */
bool board_receive(struct board *board, uint8_t byte, uint32_t now_ms);

/* Let time pass: contacts (bit seat * 2 + button, 1 is closed) and the failsafe. */
void board_step(struct board *board, uint32_t now_ms, uint16_t contacts, bool mute_switch);

/* The next frame to send, 0 when there is none. Outputs must have been set before, since an ACK says so. */
uint8_t board_answer(struct board *board, uint8_t *wire);

struct board_lamps board_lit_lamps(const struct board *board);
bool board_buzzer(const struct board *board);

/* Colours of the rim, 3 bytes a pixel (red, green, blue), already below the current limit; returns the number of pixels. */
uint8_t board_rim(const struct board *board, uint8_t *rgb);

#ifdef __cplusplus
}
#endif
#endif
