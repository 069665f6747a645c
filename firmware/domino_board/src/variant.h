/* Which board this is. In the Arduino IDE: remove the slashes before a line to change it. */
#ifndef DOMINO_VARIANT_H
#define DOMINO_VARIANT_H

/* Two seats wired straight to the pins, without shift registers: */
// #define DOMINO_DIRECT

/* Use the Arduino functions on an Uno or Nano too, as on any other board (no rim without the Adafruit NeoPixel library): */
// #define DOMINO_ARDUINO_API

#endif
