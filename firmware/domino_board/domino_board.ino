// The lights and buttons of Dominoref. Everything is in src/; start reading at src/loop.c.
// Uno and Nano use src/port_avr.c, other boards src/port_arduino.cpp. src/variant.h says how yours is wired.

#include "src/hal.h"

void setup() { loop_start(); }

void loop() { loop_turn(); }
