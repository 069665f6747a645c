/* See parts.h. Where each part hangs comes from the same pin table as the firmware's. */
#include "parts.h"

#include <stdio.h>
#include <string.h>

#include "avr_ioport.h"

#include "chips.h"
#include "pins.h" /* PIN_X_PORT and PIN_X_BIT, made from wiring/pins.toml */
#include "uno.h"

enum { PORTB = 'B', PORTC = 'C', PORTD = 'D', TABLE_LAMP = 8 };
#define WIRE(name) {PIN_##name##_PORT, PIN_##name##_BIT}

struct wire { char port; int bit; };

static const struct wire rim = WIRE(RIM), buzzer = WIRE(BUZZER), mute = WIRE(MUTE), table_red = WIRE(TABLE_RED),
    table_green = WIRE(TABLE_GREEN), lamps_off = WIRE(LAMPS_OFF), lamps_data = WIRE(LAMPS_DATA), clock_line = WIRE(CLOCK),
    lamps_latch = WIRE(LAMPS_LATCH), buttons_load = WIRE(BUTTONS_LOAD), buttons_data = WIRE(BUTTONS_DATA);
static const struct wire direct_red[2] = {WIRE(SEAT0_RED), WIRE(SEAT1_RED)};
static const struct wire direct_green[2] = {WIRE(SEAT0_GREEN), WIRE(SEAT1_GREEN)};
static const struct wire direct_buttons[4] = {WIRE(SEAT0_PASS), WIRE(SEAT0_DONE), WIRE(SEAT1_PASS), WIRE(SEAT1_DONE)};

static bool direct;
static uint16_t held;
static bool mute_switch;
static struct registers chips;
static struct strip strip;
static uint32_t shown_lamps[3] = {~0u, 0, 0};
static int shown_buzzer = -1;

/* ---- wires ---- */

static avr_irq_t *irq_of(struct wire wire)
{
    static avr_irq_t *known[3][IOPORT_IRQ_COUNT]; /* simavr searches for them anew each time */
    avr_irq_t **irq = &known[wire.port - 'B'][wire.bit];
    if (!*irq)
        *irq = avr_io_getirq(uno, AVR_IOCTL_IOPORT_GETIRQ(wire.port), wire.bit);
    return *irq;
}

static bool driven(struct wire wire, bool *level)
{
    /* PINx, DDRx and PORTx follow each other from 0x23 (B), 0x26 (C) and 0x29 (D). */
    const uint8_t *at = &uno->data[0x23 + 3 * (wire.port - 'B')];
    *level = at[2] >> wire.bit & 1;
    return at[1] >> wire.bit & 1;
}

static bool high(struct wire wire)
{
    bool level;
    return driven(wire, &level) && level;
}

static void drive(struct wire wire, bool level, bool anew)
{
    if (anew)
        avr_raise_irq(irq_of(wire), !level); /* an unchanged level would not be passed on */
    avr_raise_irq(irq_of(wire), level);
}

/* ---- outputs ---- */

void parts_look_at_outputs(void)
{
    uint32_t lamps[3] = {0, 0, 0};
    bool off;
    if (direct) {
        for (int seat = 0; seat < 2; seat++) {
            lamps[0] |= (uint32_t)high(direct_red[seat]) << seat;
            lamps[1] |= (uint32_t)high(direct_green[seat]) << seat;
        }
    } else if (driven(lamps_off, &off) && !off) { /* a resistor holds OE high until the firmware pulls it low */
        for (int i = 0; i < 3; i++)
            lamps[i] = chips.latched >> (8 * i) & 0xFF;
    }
    lamps[0] |= (uint32_t)high(table_red) << TABLE_LAMP;
    lamps[1] |= (uint32_t)high(table_green) << TABLE_LAMP;
    if (memcmp(lamps, shown_lamps, sizeof lamps) != 0) {
        memcpy(shown_lamps, lamps, sizeof lamps);
        printf("L %llu %03x %03x %03x\n", uno_us(), lamps[0], lamps[1], lamps[2]);
    }
    int sounds = high(buzzer);
    if (sounds != shown_buzzer) {
        shown_buzzer = sounds;
        printf("Z %llu %d\n", uno_us(), sounds);
    }
}

void parts_look_at_strip(void)
{
    if (!strip_complete(&strip, uno->cycle))
        return;
    printf("W %llu ", (unsigned long long)(strip.fell / CYCLES_US));
    for (int i = 0; i + 2 < strip.bits / 8; i += 3) /* on the wire green comes first */
        printf("%02x%02x%02x", strip.bytes[i + 1], strip.bytes[i], strip.bytes[i + 2]);
    printf(" %u %u %u %u %u %u\n", strip.zero_high.least, strip.zero_high.most, strip.one_high.least,
           strip.one_high.most, strip.period.least, strip.period.most);
    strip_start(&strip);
}

/* ---- inputs ---- */

void parts_drive_inputs(bool anew)
{
    drive(mute, !mute_switch, anew);
    if (direct) {
        for (int i = 0; i < 4; i++)
            drive(direct_buttons[i], !(held >> i & 1), anew);
        return;
    }
    if (!chips.load)
        chips.buttons = registers_inputs(held);
    drive(buttons_data, chips.buttons >> 15, anew);
}

void parts_hold(uint16_t contacts)
{
    held = contacts;
    parts_drive_inputs(false);
}

void parts_mute(bool on)
{
    mute_switch = on;
    parts_drive_inputs(false);
}

void parts_power_off(void) { memset(&chips, 0, sizeof chips); }

/* ---- what a changed pin does ---- */

static void on_data(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    chips.data = value & 1;
}

static void on_clock(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    registers_clock(&chips, value & 1);
    parts_drive_inputs(false);
}

static void on_latch(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    registers_latch(&chips, value & 1);
    parts_look_at_outputs();
}

static void on_load(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    chips.load = value & 1;
    parts_drive_inputs(false);
}

static void on_rim(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    strip_edge(&strip, value & 1, uno->cycle);
}

static void on_output(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)value, (void)param;
    parts_look_at_outputs();
}

static void watch(struct wire wire, avr_irq_notify_t notify) { avr_irq_register_notify(irq_of(wire), notify, NULL); }

void parts_connect(bool without_registers)
{
    static const struct wire directions[2] = {{'B', IOPORT_IRQ_DIRECTION_ALL}, {'D', IOPORT_IRQ_DIRECTION_ALL}};
    const struct wire outputs[] = {buzzer, table_red, table_green, directions[0], directions[1]};
    direct = without_registers;
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        watch(outputs[i], on_output);
    watch(rim, on_rim);
    if (direct) {
        for (int seat = 0; seat < 2; seat++) {
            watch(direct_red[seat], on_output);
            watch(direct_green[seat], on_output);
        }
    } else {
        watch(lamps_off, on_output);
        watch(lamps_data, on_data);
        watch(clock_line, on_clock);
        watch(lamps_latch, on_latch);
        watch(buttons_load, on_load);
    }
}
