/* One turn of the board: bytes in, time, outputs, answers out. The order is the promise: an ACK leaves only after the lamps
 * are set and the rim is painted. */

#include "hal.h"

static struct board board;
static struct board_lamps lit;
static bool buzzing;
static uint8_t rim_rgb[3 * RIM_MAX];
static uint8_t painted; /* pixels that may still show something */

static void set_outputs(void)
{
    struct board_lamps lamps = board_lit_lamps(&board);
    if (lamps.red != lit.red || lamps.green != lit.green || lamps.blue != lit.blue) {
        lit = lamps;
        hal_lamps(lamps);
    }
    bool buzz = board_buzzer(&board);
    if (buzz != buzzing) {
        buzzing = buzz;
        hal_buzzer(buzz);
    }
    if (board.rim_due) {
        board.rim_due = false;
        uint8_t pixels = board_rim(&board, rim_rgb);
        uint8_t length = pixels > painted ? pixels : painted;
        for (uint16_t i = (uint16_t)(3 * pixels); i < (uint16_t)(3 * length); i++)
            rim_rgb[i] = 0;
        painted = pixels;
        hal_rim(rim_rgb, length);
    }
}

void loop_start(void)
{
    struct board_identity identity = {0, 0, 0, 0, 0};
    struct board_lamps dark = {0, 0, 0};
    hal_start(&identity);
    lit = dark;
    buzzing = false;
    board_start(&board, &identity, hal_millis());
    hal_lamps(dark);
    hal_buzzer(false);
    painted = identity.rim;
    if (identity.rim) /* a strip keeps its colours over a reset: darken it before anybody believes them */
        board.rim_due = true;
}

void loop_turn(void)
{
    uint8_t byte;
    uint8_t wire[FRAME_WIRE_MAX];
    hal_alive();
    while (hal_read(&byte))
        if (board_receive(&board, byte, hal_millis()))
            break; /* answer this one first */
    board_step(&board, hal_millis(), hal_contacts(), hal_mute_switch());
    set_outputs();
    while (hal_write_room() >= FRAME_WIRE_MAX) {
        uint8_t count = board_answer(&board, wire);
        if (count == 0)
            break;
        hal_write(wire, count);
    }
    hal_rest();
}
