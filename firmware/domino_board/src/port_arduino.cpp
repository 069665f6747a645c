// Any board that the Arduino functions know: Mega, Uno R4, Pico, ESP32. Compiled and emulated, never tried on such hardware.
// The rim needs the Adafruit NeoPixel library; without it the board says that it has none.

#include "variant.h"

#if defined(ARDUINO) && (defined(DOMINO_ARDUINO_API) || !defined(__AVR_ATmega328P__))

#include <Arduino.h>

#if defined(__AVR__)
#include <avr/eeprom.h> // the count of lives
#include <avr/sleep.h>
#include <avr/wdt.h>
#endif

#if defined(__has_include)
#if __has_include(<Adafruit_NeoPixel.h>)
#include <Adafruit_NeoPixel.h>
#define HAVE_RIM 1
#endif
#endif

#include "hal.h"
#include "pins.h"

#ifdef HAVE_RIM
static Adafruit_NeoPixel strip(RIM_MAX, PIN_RIM, NEO_GRB + NEO_KHZ800);
#endif

static uint16_t new_session()
{
#if defined(__AVR__)
    uint16_t session = eeprom_read_word((uint16_t *)0) + 1;
    eeprom_update_word((uint16_t *)0, session);
    return session;
#else
    // No memory that every board has: noise of an open input and of the start-up time.
    uint16_t session = (uint16_t)micros();
    for (uint8_t i = 0; i < 16; i++)
        session = (uint16_t)((session << 1 | session >> 15) ^ analogRead(A0) ^ (uint16_t)micros());
    return session;
#endif
}

#ifdef DOMINO_DIRECT

static const uint8_t red_pins[] = {PIN_SEAT0_RED, PIN_SEAT1_RED};
static const uint8_t green_pins[] = {PIN_SEAT0_GREEN, PIN_SEAT1_GREEN};
static const uint8_t button_pins[] = {PIN_SEAT0_PASS, PIN_SEAT0_DONE, PIN_SEAT1_PASS, PIN_SEAT1_DONE};
enum { SEATS = 2 };

static void start_pins()
{
    for (uint8_t seat = 0; seat < SEATS; seat++) {
        pinMode(red_pins[seat], OUTPUT);
        pinMode(green_pins[seat], OUTPUT);
    }
    for (uint8_t pin : button_pins)
        pinMode(pin, INPUT_PULLUP);
}

static void set_seats(struct board_lamps lamps)
{
    for (uint8_t seat = 0; seat < SEATS; seat++) {
        digitalWrite(red_pins[seat], lamps.red >> seat & 1 ? HIGH : LOW);
        digitalWrite(green_pins[seat], lamps.green >> seat & 1 ? HIGH : LOW);
    }
}

uint16_t hal_contacts(void)
{
    uint16_t contacts = 0;
    for (uint8_t i = 0; i < sizeof button_pins; i++)
        contacts |= (uint16_t)(digitalRead(button_pins[i]) == LOW) << i;
    return contacts;
}

#else

enum { SEATS = SEATS_MAX };

static void start_pins()
{
    digitalWrite(PIN_LAMPS_OFF, HIGH);
    pinMode(PIN_LAMPS_OFF, OUTPUT);
    digitalWrite(PIN_LAMPS_OFF, HIGH);
    pinMode(PIN_BUTTONS_LOAD, OUTPUT);
    digitalWrite(PIN_BUTTONS_LOAD, HIGH);
    pinMode(PIN_LAMPS_DATA, OUTPUT);
    pinMode(PIN_CLOCK, OUTPUT);
    pinMode(PIN_LAMPS_LATCH, OUTPUT);
    pinMode(PIN_BUTTONS_DATA, INPUT);
}

static void clock_once()
{
    digitalWrite(PIN_CLOCK, HIGH);
    digitalWrite(PIN_CLOCK, LOW);
}

static void shift_out(uint8_t byte)
{
    for (uint8_t i = 8; i--; byte <<= 1) {
        digitalWrite(PIN_LAMPS_DATA, byte & 0x80 ? HIGH : LOW);
        clock_once();
    }
}

static uint8_t shift_in()
{
    uint8_t byte = 0;
    for (uint8_t i = 8; i--;) {
        byte = (uint8_t)(byte << 1 | (digitalRead(PIN_BUTTONS_DATA) == HIGH)); // the first bit needs no clock
        clock_once();
    }
    return byte;
}

static void set_seats(struct board_lamps lamps)
{
    shift_out((uint8_t)lamps.blue); // with two chips it falls off the end
    shift_out((uint8_t)lamps.green);
    shift_out((uint8_t)lamps.red);
    digitalWrite(PIN_LAMPS_LATCH, HIGH);
    digitalWrite(PIN_LAMPS_LATCH, LOW);
    digitalWrite(PIN_LAMPS_OFF, LOW);
}

uint16_t hal_contacts(void)
{
    digitalWrite(PIN_BUTTONS_LOAD, LOW);
    digitalWrite(PIN_BUTTONS_LOAD, HIGH);
    uint8_t first = shift_in();
    uint8_t second = shift_in();
    return (uint16_t)~(first | (uint16_t)second << 8); // closed is low
}

#endif

void hal_start(struct board_identity *identity)
{
    pinMode(PIN_BUZZER, OUTPUT);
    pinMode(PIN_TABLE_RED, OUTPUT);
    pinMode(PIN_TABLE_GREEN, OUTPUT);
    pinMode(PIN_MUTE, INPUT_PULLUP);
    start_pins();
    Serial.begin(BAUD);
    identity->variant = VARIANT_ARDUINO;
    identity->seats = SEATS;
#ifdef HAVE_RIM
    strip.begin();
    identity->rim = RIM_MAX;
#else
    identity->rim = 0;
#endif
    identity->reset_cause = RESET_CAUSE_UNKNOWN;
    identity->session = new_session();
#if defined(__AVR__)
    wdt_enable(WDTO_250MS);
#endif
}

uint32_t hal_millis(void) { return millis(); }

bool hal_read(uint8_t *byte)
{
    int got = Serial.read();
    if (got < 0)
        return false;
    *byte = (uint8_t)got;
    return true;
}

uint8_t hal_write_room(void)
{
    int room = Serial.availableForWrite();
#if !defined(__AVR__)
    if (room <= 0)
        return FRAME_WIRE_MAX; // some cores do not know, and answer 0
#endif
    return (uint8_t)(room > 255 ? 255 : room);
}

void hal_write(const uint8_t *bytes, uint8_t count) { Serial.write(bytes, count); }

bool hal_mute_switch(void) { return digitalRead(PIN_MUTE) == LOW; }

void hal_buzzer(bool on) { digitalWrite(PIN_BUZZER, on ? HIGH : LOW); }

void hal_lamps(struct board_lamps lamps)
{
    digitalWrite(PIN_TABLE_RED, lamps.red >> TABLE_LAMP & 1 ? HIGH : LOW);
    digitalWrite(PIN_TABLE_GREEN, lamps.green >> TABLE_LAMP & 1 ? HIGH : LOW);
    set_seats(lamps);
}

void hal_rim(const uint8_t *rgb, uint8_t pixels)
{
#ifdef HAVE_RIM
    for (uint8_t i = 0; i < pixels; i++, rgb += 3)
        strip.setPixelColor(i, rgb[0], rgb[1], rgb[2]);
    strip.show();
#else
    (void)rgb;
    (void)pixels;
#endif
}

void hal_alive(void)
{
#if defined(__AVR__)
    wdt_reset();
#endif
}

void hal_rest(void)
{
#if defined(__AVR__)
    // Woken by every interrupt: a byte, or the millisecond clock.
    set_sleep_mode(SLEEP_MODE_IDLE);
    noInterrupts();
    if (!Serial.available()) {
        sleep_enable();
        interrupts();
        sleep_cpu();
        sleep_disable();
    }
    interrupts();
#endif
}

#endif
