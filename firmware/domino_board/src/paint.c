/* What lamps, rim and buzzer do at a moment: pure functions of the board's state; see board.h. */

#include "board.h"

#include <string.h> /* memset */

/* Lamps may be two-colour (red, green) or RGB. Blue has no part in a meaning, and white lights no red, so that on a
 * two-colour lamp it is green and not amber. */
static const uint8_t lamp_bits[COLOUR_WHITE + 1] = {0, 1, 2, 3, 4, 6, 6}; /* bit 0 red, 1 green, 2 blue */

/* Bright enough at the edge of a table, far from dazzling; red, green, blue of 255. */
static const uint8_t rim_colours[COLOUR_WHITE + 1][3] = {
    {0, 0, 0}, {96, 0, 0}, {0, 96, 0}, {96, 40, 0}, {0, 0, 96}, {0, 60, 60}, {60, 60, 60},
};

/* A WS2812B channel at full takes about 20 mA, the chip itself about 1 mA. With the lamps and the processor (under 160 mA)
 * the whole board then stays below the 500 mA of a USB port. */
enum { RIM_LIMIT_MA = 300, CHANNEL_MA = 20, PIXEL_MA = 1 };

static uint8_t slot(const struct board *board)
{
    return (uint8_t)(((board->now_ms - board->changed_ms) / SLOT_MS) & 7);
}

struct board_lamps board_lit_lamps(const struct board *board)
{
    struct board_lamps lamps = {0, 0, 0};
    uint8_t now = (uint8_t)(1 << slot(board));
    if (board->idle) {
        /* Alive, waiting for the computer: a short amber blink of the table light, all seats dark. */
        if (now & 0x01)
            lamps.red = lamps.green = (uint16_t)1 << TABLE_LAMP;
        return lamps;
    }
    for (uint8_t i = 0; i <= board->shown.seats; i++) {
        struct board_light light = board->shown.lights[i];
        uint16_t bit = (uint16_t)1 << (i == board->shown.seats ? TABLE_LAMP : i);
        uint8_t bits = light.pattern & now ? lamp_bits[light.colour] : 0;
        if (bits & 1)
            lamps.red |= bit;
        if (bits & 2)
            lamps.green |= bit;
        if (bits & 4)
            lamps.blue |= bit;
    }
    return lamps;
}

bool board_buzzer(const struct board *board)
{
    if (board->idle || board->muted_here || board->shown.mute)
        return false;
    uint32_t at = (board->now_ms - board->tune_ms) / TUNE_SLOT_MS;
    return at < 16 && (board->tune >> at & 1);
}

static void fill(uint8_t *rgb, uint8_t rim, uint8_t start, uint8_t length, uint8_t colour, uint8_t pattern)
{
    /* On the rim a pattern's eight slots lie side by side instead of one after the other: the strip can only be painted while
     * the computer waits, so it does not blink by itself. */
    uint8_t at = start;
    for (uint8_t i = 0; i < length; i++) {
        uint8_t *pixel = rgb + 3 * at;
        const uint8_t *paint = rim_colours[pattern & 1 ? colour : COLOUR_OFF];
        pixel[0] = paint[0];
        pixel[1] = paint[1];
        pixel[2] = paint[2];
        pattern = (uint8_t)(pattern >> 1 | pattern << 7);
        if (++at == rim)
            at = 0;
    }
}

static void limit_current(uint8_t *rgb, uint8_t rim)
{
    uint16_t sum = 0; /* at most 60 * 3 * 96 */
    uint16_t allowed = (uint16_t)((uint32_t)(RIM_LIMIT_MA - PIXEL_MA * rim) * 255 / CHANNEL_MA);
    uint8_t count = (uint8_t)(3 * rim);
    for (uint8_t i = 0; i < count; i++)
        sum = (uint16_t)(sum + rgb[i]);
    if (sum <= allowed)
        return;
    /* One division for all: a division a byte would take the AVR 7 ms. */
    uint8_t scale = (uint8_t)(((uint32_t)allowed << 8) / sum);
    for (uint8_t i = 0; i < count; i++)
        rgb[i] = (uint8_t)((uint16_t)(rgb[i] * scale) >> 8);
}

uint8_t board_rim(const struct board *board, uint8_t *rgb)
{
    const struct board_shown *shown = &board->shown;
    uint8_t rim = shown->rim;
    memset(rgb, 0, (uint16_t)(3 * rim));
    if (board->idle || rim == 0)
        return rim;
    for (uint8_t seat = 0; seat < shown->seats; seat++) {
        /* Pixel 0 is the corner at the right of seat 0 (as it sits), and the strip runs clockwise; a seat's share is centred
         * on seat / seats past the middle of the first side, an eighth of the way round. */
        uint16_t eighths = (uint16_t)(8 * seat + shown->seats - 4 + 8 * shown->seats);
        uint8_t start = (uint8_t)((uint16_t)((uint32_t)eighths * rim / (8 * shown->seats)) % rim);
        uint8_t length = (uint8_t)(rim / shown->seats);
        fill(rgb, rim, start, length, shown->lights[seat].colour, shown->lights[seat].pattern);
    }
    for (uint8_t i = 0; i < shown->spans_count; i++)
        fill(rgb, rim, shown->spans[i].start, shown->spans[i].length, shown->spans[i].colour, shown->spans[i].pattern);
    limit_current(rgb, rim);
    return rim;
}
