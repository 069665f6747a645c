/* Written by firmware/wiring/draw.py from pins.toml; do not edit. */
#ifndef DOMINO_PINS_H
#define DOMINO_PINS_H

#define PIN_RIM 2 /* D2: WS2812 strip, data in, through 330 ohms */
#define PIN_RIM_PORT PORTD
#define PIN_RIM_DDR DDRD
#define PIN_RIM_IN PIND
#define PIN_RIM_BIT 2
#define PIN_BUZZER 3 /* D3: active buzzer (5 V, under 30 mA), other leg to GND */
#define PIN_BUZZER_PORT PORTD
#define PIN_BUZZER_DDR DDRD
#define PIN_BUZZER_IN PIND
#define PIN_BUZZER_BIT 3
#define PIN_MUTE 4 /* D4: slide switch to GND: closed is silent */
#define PIN_MUTE_PORT PORTD
#define PIN_MUTE_DDR DDRD
#define PIN_MUTE_IN PIND
#define PIN_MUTE_BIT 4
#define PIN_TABLE_RED 5 /* D5: table lamp, red, through 470 ohms */
#define PIN_TABLE_RED_PORT PORTD
#define PIN_TABLE_RED_DDR DDRD
#define PIN_TABLE_RED_IN PIND
#define PIN_TABLE_RED_BIT 5
#define PIN_TABLE_GREEN 6 /* D6: table lamp, green, through 470 ohms */
#define PIN_TABLE_GREEN_PORT PORTD
#define PIN_TABLE_GREEN_DDR DDRD
#define PIN_TABLE_GREEN_IN PIND
#define PIN_TABLE_GREEN_BIT 6
#define PIN_LAMPS_OFF 7 /* D7: 74HC595 pin 13 (OE) of each, and 10 kilohms to 5 V */
#define PIN_LAMPS_OFF_PORT PORTD
#define PIN_LAMPS_OFF_DDR DDRD
#define PIN_LAMPS_OFF_IN PIND
#define PIN_LAMPS_OFF_BIT 7
#define PIN_LAMPS_DATA 8 /* D8: 74HC595 pin 14 (SER) of the first */
#define PIN_LAMPS_DATA_PORT PORTB
#define PIN_LAMPS_DATA_DDR DDRB
#define PIN_LAMPS_DATA_IN PINB
#define PIN_LAMPS_DATA_BIT 0
#define PIN_CLOCK 9 /* D9: 74HC595 pin 11 (SRCLK) and 74HC165 pin 2 (CLK) of each */
#define PIN_CLOCK_PORT PORTB
#define PIN_CLOCK_DDR DDRB
#define PIN_CLOCK_IN PINB
#define PIN_CLOCK_BIT 1
#define PIN_LAMPS_LATCH 10 /* D10: 74HC595 pin 12 (RCLK) of each */
#define PIN_LAMPS_LATCH_PORT PORTB
#define PIN_LAMPS_LATCH_DDR DDRB
#define PIN_LAMPS_LATCH_IN PINB
#define PIN_LAMPS_LATCH_BIT 2
#define PIN_BUTTONS_LOAD 11 /* D11: 74HC165 pin 1 (SH/LD) of each */
#define PIN_BUTTONS_LOAD_PORT PORTB
#define PIN_BUTTONS_LOAD_DDR DDRB
#define PIN_BUTTONS_LOAD_IN PINB
#define PIN_BUTTONS_LOAD_BIT 3
#define PIN_BUTTONS_DATA 12 /* D12: 74HC165 pin 9 (QH) of the first */
#define PIN_BUTTONS_DATA_PORT PORTB
#define PIN_BUTTONS_DATA_DDR DDRB
#define PIN_BUTTONS_DATA_IN PINB
#define PIN_BUTTONS_DATA_BIT 4
#define PIN_SEAT0_RED 8 /* D8: seat 1 lamp, red, through 470 ohms */
#define PIN_SEAT0_RED_PORT PORTB
#define PIN_SEAT0_RED_DDR DDRB
#define PIN_SEAT0_RED_IN PINB
#define PIN_SEAT0_RED_BIT 0
#define PIN_SEAT0_GREEN 9 /* D9: seat 1 lamp, green, through 470 ohms */
#define PIN_SEAT0_GREEN_PORT PORTB
#define PIN_SEAT0_GREEN_DDR DDRB
#define PIN_SEAT0_GREEN_IN PINB
#define PIN_SEAT0_GREEN_BIT 1
#define PIN_SEAT1_RED 10 /* D10: seat 2 lamp, red, through 470 ohms */
#define PIN_SEAT1_RED_PORT PORTB
#define PIN_SEAT1_RED_DDR DDRB
#define PIN_SEAT1_RED_IN PINB
#define PIN_SEAT1_RED_BIT 2
#define PIN_SEAT1_GREEN 11 /* D11: seat 2 lamp, green, through 470 ohms */
#define PIN_SEAT1_GREEN_PORT PORTB
#define PIN_SEAT1_GREEN_DDR DDRB
#define PIN_SEAT1_GREEN_IN PINB
#define PIN_SEAT1_GREEN_BIT 3
#define PIN_SEAT0_PASS 14 /* A0: seat 1 button pass, to GND */
#define PIN_SEAT0_PASS_PORT PORTC
#define PIN_SEAT0_PASS_DDR DDRC
#define PIN_SEAT0_PASS_IN PINC
#define PIN_SEAT0_PASS_BIT 0
#define PIN_SEAT0_DONE 15 /* A1: seat 1 button done, to GND */
#define PIN_SEAT0_DONE_PORT PORTC
#define PIN_SEAT0_DONE_DDR DDRC
#define PIN_SEAT0_DONE_IN PINC
#define PIN_SEAT0_DONE_BIT 1
#define PIN_SEAT1_PASS 16 /* A2: seat 2 button pass, to GND */
#define PIN_SEAT1_PASS_PORT PORTC
#define PIN_SEAT1_PASS_DDR DDRC
#define PIN_SEAT1_PASS_IN PINC
#define PIN_SEAT1_PASS_BIT 2
#define PIN_SEAT1_DONE 17 /* A3: seat 2 button done, to GND */
#define PIN_SEAT1_DONE_PORT PORTC
#define PIN_SEAT1_DONE_DDR DDRC
#define PIN_SEAT1_DONE_IN PINC
#define PIN_SEAT1_DONE_BIT 3

#endif
