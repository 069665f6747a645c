/* ATmega328P (Uno, Nano): registers, interrupts and the strip's timing. The rest of the firmware never sees them. */

#include "variant.h"

#if defined(__AVR_ATmega328P__) && !defined(DOMINO_ARDUINO_API)

#include <avr/eeprom.h>    /* the count of lives */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#include "hal.h"
#include "pins.h"

#ifndef F_CPU
#define F_CPU 16000000UL
#endif

#define SET(pin) (pin##_PORT |= (uint8_t)(1 << pin##_BIT))
#define CLEAR(pin) (pin##_PORT &= (uint8_t)~(1 << pin##_BIT))
#define PUT(pin, on) \
    do { \
        if (on) \
            pin##_PORT |= (uint8_t)(1 << pin##_BIT); \
        else \
            pin##_PORT &= (uint8_t)~(1 << pin##_BIT); \
    } while (0)
#define OUTPUT_PIN(pin) (pin##_DDR |= (uint8_t)(1 << pin##_BIT))
#define IS_LOW(pin) (!(pin##_IN & (1 << pin##_BIT)))

/* ---- why we started ---- */

/* Not cleared with the other variables, which would happen after .init3. */
static uint8_t saved_mcusr __attribute__((section(".noinit")));
static uint32_t survivor __attribute__((section(".noinit")));
#define SURVIVED 0x0D011104UL

void save_reset_cause(void) __attribute__((naked, used, section(".init3")));
void save_reset_cause(void)
{
    saved_mcusr = MCUSR;
    MCUSR = 0; /* while WDRF is set the watchdog cannot be stopped */
    wdt_disable();
}

static uint8_t reset_cause(void)
{
    bool warm = survivor == SURVIVED;
    survivor = SURVIVED;
    if (saved_mcusr & (1 << PORF))
        return RESET_CAUSE_POWER;
    if (saved_mcusr & (1 << BORF))
        return RESET_CAUSE_BROWN_OUT;
    if (saved_mcusr & (1 << WDRF))
        return RESET_CAUSE_WATCHDOG;
    if (saved_mcusr & (1 << EXTRF))
        return RESET_CAUSE_EXTERNAL;
    /* Optiboot clears the register before it starts us. */
    return warm ? RESET_CAUSE_WARM : RESET_CAUSE_UNKNOWN;
}

/* ---- serial ---- */

enum { RING = 128, RING_MASK = RING - 1 }; /* holds two whole frames */

static volatile uint8_t rx_ring[RING], tx_ring[RING];
static volatile uint8_t rx_head, rx_tail, tx_head, tx_tail;

ISR(USART_RX_vect)
{
    uint8_t byte = UDR0;
    uint8_t next = (uint8_t)((rx_head + 1) & RING_MASK);
    if (next != rx_tail) { /* full: the frame will fail its CRC and be repeated */
        rx_ring[rx_head] = byte;
        rx_head = next;
    }
}

ISR(USART_UDRE_vect)
{
    UDR0 = tx_ring[tx_tail];
    tx_tail = (uint8_t)((tx_tail + 1) & RING_MASK);
    if (tx_tail == tx_head)
        UCSR0B &= (uint8_t)~(1 << UDRIE0);
}

bool hal_read(uint8_t *byte)
{
    if (rx_tail == rx_head)
        return false;
    *byte = rx_ring[rx_tail];
    rx_tail = (uint8_t)((rx_tail + 1) & RING_MASK);
    return true;
}

uint8_t hal_write_room(void) { return (uint8_t)((tx_tail - tx_head - 1) & RING_MASK); }

void hal_write(const uint8_t *bytes, uint8_t count)
{
    while (count--) {
        tx_ring[tx_head] = *bytes++;
        tx_head = (uint8_t)((tx_head + 1) & RING_MASK);
    }
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { UCSR0B |= 1 << UDRIE0; }
}

/* ---- time ---- */

static volatile uint32_t millis;

ISR(TIMER2_COMPA_vect) { millis++; }

uint32_t hal_millis(void)
{
    uint32_t now = 0;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { now = millis; }
    return now;
}

void hal_alive(void) { wdt_reset(); }

void hal_rest(void)
{
    set_sleep_mode(SLEEP_MODE_IDLE);
    cli();
    if (rx_head == rx_tail) {
        sleep_enable();
        sei(); /* the instruction after sei() runs before any interrupt: none can slip in between */
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

/* ---- lamps and buttons ---- */

#ifdef DOMINO_DIRECT

static void start_pins(void)
{
    OUTPUT_PIN(PIN_SEAT0_RED);
    OUTPUT_PIN(PIN_SEAT0_GREEN);
    OUTPUT_PIN(PIN_SEAT1_RED);
    OUTPUT_PIN(PIN_SEAT1_GREEN);
    SET(PIN_SEAT0_PASS); /* pull-ups */
    SET(PIN_SEAT0_DONE);
    SET(PIN_SEAT1_PASS);
    SET(PIN_SEAT1_DONE);
}

void hal_lamps(struct board_lamps lamps)
{
    PUT(PIN_TABLE_RED, lamps.red >> TABLE_LAMP & 1);
    PUT(PIN_TABLE_GREEN, lamps.green >> TABLE_LAMP & 1);
    PUT(PIN_SEAT0_RED, lamps.red & 1);
    PUT(PIN_SEAT0_GREEN, lamps.green & 1);
    PUT(PIN_SEAT1_RED, lamps.red & 2);
    PUT(PIN_SEAT1_GREEN, lamps.green & 2);
}

uint16_t hal_contacts(void)
{
    return (uint16_t)(IS_LOW(PIN_SEAT0_PASS) | IS_LOW(PIN_SEAT0_DONE) << 1 | IS_LOW(PIN_SEAT1_PASS) << 2 |
                      IS_LOW(PIN_SEAT1_DONE) << 3);
}

enum { VARIANT = VARIANT_DIRECT, SEATS = 2 };

#else

static void start_pins(void)
{
    /* LAMPS_OFF is held high by a resistor from the first moment; it goes low only after zeros were latched. */
    SET(PIN_LAMPS_OFF);
    OUTPUT_PIN(PIN_LAMPS_OFF);
    SET(PIN_BUTTONS_LOAD);
    OUTPUT_PIN(PIN_BUTTONS_LOAD);
    OUTPUT_PIN(PIN_LAMPS_DATA);
    OUTPUT_PIN(PIN_CLOCK);
    OUTPUT_PIN(PIN_LAMPS_LATCH);
}

static void shift_out(uint8_t byte)
{
    for (uint8_t i = 8; i--; byte <<= 1) {
        PUT(PIN_LAMPS_DATA, byte & 0x80);
        SET(PIN_CLOCK);
        CLEAR(PIN_CLOCK);
    }
}

static uint8_t shift_in(void)
{
    uint8_t byte = 0;
    for (uint8_t i = 8; i--;) {
        byte = (uint8_t)(byte << 1 | !IS_LOW(PIN_BUTTONS_DATA)); /* the first bit is there before the first clock */
        SET(PIN_CLOCK);
        CLEAR(PIN_CLOCK);
    }
    return byte;
}

void hal_lamps(struct board_lamps lamps)
{
    /* Blue goes first: with two chips (two-colour lamps) it falls off the end. */
    shift_out((uint8_t)lamps.blue);
    shift_out((uint8_t)lamps.green);
    shift_out((uint8_t)lamps.red);
    SET(PIN_LAMPS_LATCH);
    CLEAR(PIN_LAMPS_LATCH);
    PUT(PIN_TABLE_RED, lamps.red >> TABLE_LAMP & 1);
    PUT(PIN_TABLE_GREEN, lamps.green >> TABLE_LAMP & 1);
    CLEAR(PIN_LAMPS_OFF);
}

uint16_t hal_contacts(void)
{
    CLEAR(PIN_BUTTONS_LOAD);
    SET(PIN_BUTTONS_LOAD);
    uint8_t first = shift_in();
    uint8_t second = shift_in();
    return (uint16_t)~(first | (uint16_t)second << 8); /* closed is low */
}

enum { VARIANT = VARIANT_SHIFT, SEATS = SEATS_MAX };

#endif

bool hal_mute_switch(void) { return IS_LOW(PIN_MUTE); }

void hal_buzzer(bool on) { PUT(PIN_BUZZER, on); }

/* ---- rim ---- */

/* WS2812B data sheet (Worldsemi, v5): a bit is high for 0.22-0.38 us (0) or 0.58-1 us (1), low for the rest of about 1.25 us;
 * 280 us low ends the frame, so a pause must stay far below that, and early chips latch after some 6 us already.
 * At 16 MHz a cycle is 62.5 ns: 6 cycles high for a 0, 13 for a 1, 20 in all. */
static void send_byte(uint8_t byte, uint8_t high, uint8_t low)
{
    uint8_t bits = 8;
    __asm__ volatile(
        "1: out %[port], %[high]  \n\t" /* rises */
        "   rjmp .+0              \n\t"
        "   rjmp .+0              \n\t"
        "   sbrs %[byte], 7       \n\t"
        "   out %[port], %[low]   \n\t" /* 0: falls 6 cycles after the rise */
        "   lsl %[byte]           \n\t"
        "   rjmp .+0              \n\t"
        "   rjmp .+0              \n\t"
        "   nop                   \n\t"
        "   out %[port], %[low]   \n\t" /* 1: falls 13 cycles after the rise */
        "   rjmp .+0              \n\t"
        "   nop                   \n\t"
        "   dec %[bits]           \n\t"
        "   brne 1b               \n\t"
        : [byte] "+r"(byte), [bits] "+r"(bits)
        : [port] "I"(_SFR_IO_ADDR(PIN_RIM_PORT)), [high] "r"(high), [low] "r"(low));
}

void hal_rim(const uint8_t *rgb, uint8_t pixels)
{
    /* Interrupts stay off for the whole strip, or the gaps between pixels would end the frame early. Bytes from the computer
     * are lost meanwhile, which is why it waits for the ACK. */
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        uint8_t low = (uint8_t)(PIN_RIM_PORT & ~(1 << PIN_RIM_BIT));
        uint8_t high = (uint8_t)(low | 1 << PIN_RIM_BIT);
        uint16_t began_us = (uint16_t)(TCNT2 * 4);
        for (uint8_t i = pixels; i--; rgb += 3) {
            send_byte(rgb[1], high, low); /* the chip wants green first */
            send_byte(rgb[0], high, low);
            send_byte(rgb[2], high, low);
        }
        /* The clock stood still: 31 us a pixel, less the one tick that is still pending. */
        uint16_t ticks = (uint16_t)((began_us + 31U * pixels) / 1000);
        if (ticks > 1)
            millis += ticks - 1;
    }
}

/* ---- start ---- */

void hal_start(struct board_identity *identity)
{
    OUTPUT_PIN(PIN_RIM);
    OUTPUT_PIN(PIN_BUZZER);
    OUTPUT_PIN(PIN_TABLE_RED);
    OUTPUT_PIN(PIN_TABLE_GREEN);
    SET(PIN_MUTE); /* pull-up */
    start_pins();

    /* 115200 baud at 16 MHz is 117647 with this divisor (+2.1 %), the nearest there is; Arduino uses the same. */
    UCSR0A = 1 << U2X0;
    UBRR0 = F_CPU / 8 / BAUD - 1 + (F_CPU / 8 % BAUD > BAUD / 2);
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;

    TCCR2A = 1 << WGM21;
    TCCR2B = 1 << CS22; /* divided by 64 */
    OCR2A = F_CPU / 64 / 1000 - 1;
    TIMSK2 = 1 << OCIE2A;

    /* A new number for every life, so that the computer notices a restart; the memory cell stands 100,000 of them. */
    uint16_t session = (uint16_t)(eeprom_read_word((uint16_t *)0) + 1);
    eeprom_update_word((uint16_t *)0, session);

    identity->variant = VARIANT;
    identity->seats = SEATS;
    identity->rim = RIM_MAX;
    identity->reset_cause = reset_cause();
    identity->session = session;
    wdt_enable(WDTO_250MS);
    sei();
}

#ifndef ARDUINO
int main(void)
{
    loop_start();
    for (;;)
        loop_turn();
}
#endif

#endif
