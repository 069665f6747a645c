// A stand-in that only has to compile: the part of the Arduino functions that port_arduino.cpp uses, for `make fake`.
#ifndef FAKE_ARDUINO_H
#define FAKE_ARDUINO_H

#include <stddef.h>
#include <stdint.h>

enum { LOW, HIGH };
enum { INPUT, OUTPUT, INPUT_PULLUP };
enum { A0 = 14 };

extern "C" {
unsigned long millis(void);
unsigned long micros(void);
void pinMode(uint8_t pin, uint8_t mode);
void digitalWrite(uint8_t pin, uint8_t level);
int digitalRead(uint8_t pin);
int analogRead(uint8_t pin);
}

struct FakeSerial {
    void begin(unsigned long baud);
    int available();
    int read();
    int availableForWrite();
    size_t write(const uint8_t *bytes, size_t count);
};
extern FakeSerial Serial;

#endif
