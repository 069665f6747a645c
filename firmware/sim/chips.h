/* The parts around the processor, as the wiring picture shows them: shift registers and the strip. For simavr_board.c. */
#ifndef SIM_CHIPS_H
#define SIM_CHIPS_H

#include <stdbool.h>
#include <stdint.h>

/* Three 74HC595 in a row (red, green, blue; data enters at red) and two 74HC165 (data leaves the first one's QH). */
struct registers {
    uint32_t shifting;   /* 24 stages; bit 0 is the first chip's QA */
    uint32_t latched;
    bool data, clock, latch, load;
    uint16_t buttons;    /* the 165 stages; bit 15 is at the first chip's QH */
};

/* The 165's inputs: chip 1 has contacts 0..7 at A..H, chip 2 contacts 8..15; a closed contact pulls its input low. */
static uint16_t registers_inputs(uint16_t contacts)
{
    uint16_t levels = (uint16_t)~contacts;
    return (uint16_t)((levels & 0xFF) << 8 | levels >> 8);
}

static void registers_clock(struct registers *chips, bool level)
{
    if (level && !chips->clock) {
        chips->shifting = (chips->shifting << 1 | chips->data) & 0xFFFFFF;
        if (chips->load) /* SH/LD high: shift */
            chips->buttons = (uint16_t)(chips->buttons << 1 | 1);
    }
    chips->clock = level;
}

static void registers_latch(struct registers *chips, bool level)
{
    if (level && !chips->latch)
        chips->latched = chips->shifting;
    chips->latch = level;
}

/* A WS2812 strip seen from its data pin: edges in processor cycles. */
enum { STRIP_BITS_MAX = 24 * 64, STRIP_ONE_CYCLES = 10, STRIP_END_CYCLES = 16 * 50 };

struct strip_limits { uint32_t least, most; };

struct strip {
    uint64_t rose, fell;
    bool level;
    uint16_t bits;
    uint8_t bytes[STRIP_BITS_MAX / 8];
    struct strip_limits zero_high, one_high, period;
};

static void strip_widen(struct strip_limits *limits, uint64_t value)
{
    if (limits->most == 0 || value < limits->least)
        limits->least = (uint32_t)value;
    if (value > limits->most)
        limits->most = (uint32_t)value;
}

static void strip_start(struct strip *strip)
{
    struct strip_limits none = {0, 0};
    strip->bits = 0;
    strip->zero_high = strip->one_high = strip->period = none;
}

static void strip_edge(struct strip *strip, bool level, uint64_t cycle)
{
    if (level == strip->level)
        return;
    strip->level = level;
    if (level) {
        if (strip->bits)
            strip_widen(&strip->period, cycle - strip->rose);
        strip->rose = cycle;
        return;
    }
    uint64_t high = cycle - strip->rose;
    bool one = high >= STRIP_ONE_CYCLES;
    strip->fell = cycle;
    strip_widen(one ? &strip->one_high : &strip->zero_high, high);
    if (strip->bits < STRIP_BITS_MAX) {
        uint8_t *byte = &strip->bytes[strip->bits / 8];
        *byte = (uint8_t)(*byte << 1 | one);
        strip->bits++;
    }
}

static bool strip_complete(const struct strip *strip, uint64_t cycle)
{
    return strip->bits > 0 && !strip->level && cycle - strip->fell > STRIP_END_CYCLES;
}

#endif
