// A stand-in for the library of that name, for `make fake`.
#ifndef FAKE_NEOPIXEL_H
#define FAKE_NEOPIXEL_H

#include <stdint.h>

enum { NEO_GRB = 82, NEO_KHZ800 = 0 };

struct Adafruit_NeoPixel {
    Adafruit_NeoPixel(uint16_t count, int16_t pin, uint16_t kind);
    void begin();
    void show();
    void setPixelColor(uint16_t index, uint8_t red, uint8_t green, uint8_t blue);
};

#endif
