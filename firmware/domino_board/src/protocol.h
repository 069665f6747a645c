/* Written by firmware/protocol/generate.py from protocol.toml; do not edit. */
#ifndef DOMINO_PROTOCOL_H
#define DOMINO_PROTOCOL_H

#define PROTOCOL_MAJOR 1
#define PROTOCOL_MINOR 0
#define FIRMWARE_MAJOR 1
#define FIRMWARE_MINOR 0
#define FIRMWARE_PATCH 0
#define BAUD 115200UL
#define MAGIC 20292
#define PAYLOAD_MAX 48
#define SEATS_MAX 8
#define BUTTONS_A_SEAT 2
#define RIM_MAX 60
#define SPANS_MAX 4
#define QUEUE_MAX 16
#define EVENTS_A_FRAME 4
#define HELLO_MS 200
#define HELLO_PATIENCE_MS 3000
#define HEARTBEAT_MS 250
#define ACK_TIMEOUT_MS 100
#define QUIET_MS 20
#define SILENCE_MS 1000
#define FAILSAFE_MS 1500
#define EVENTS_REPEAT_MS 25
#define PRESS_MS 5
#define RELEASE_MS 20
#define SLOT_MS 128
#define TUNE_SLOT_MS 64

enum { COLOUR_OFF = 0, COLOUR_RED = 1, COLOUR_GREEN = 2, COLOUR_AMBER = 3, COLOUR_BLUE = 4, COLOUR_CYAN = 5, COLOUR_WHITE = 6 };

enum { BUTTON_PASS = 0, BUTTON_DONE = 1 };

enum { RESET_CAUSE_UNKNOWN = 0, RESET_CAUSE_POWER = 1, RESET_CAUSE_EXTERNAL = 2, RESET_CAUSE_BROWN_OUT = 3, RESET_CAUSE_WATCHDOG = 4, RESET_CAUSE_WARM = 5 };

enum { REFUSAL_SESSION = 1, REFUSAL_LENGTH = 2, REFUSAL_VALUE = 3, REFUSAL_UNKNOWN = 4 };

enum { VARIANT_HOST = 0, VARIANT_SHIFT = 1, VARIANT_DIRECT = 2, VARIANT_ARDUINO = 3 };

enum { FLAG_STATE_MUTE = 1 };

enum { FLAG_ACK_MUTED = 1, FLAG_ACK_IDLE = 2 };

/* Who are you? Answered by INFO whatever the versions, so that a wrong version can be named. */
#define MESSAGE_HELLO 0x01
#define HELLO_MAGIC_AT 0
#define HELLO_MAJOR_AT 2
#define HELLO_MINOR_AT 3
#define HELLO_SIZE 4

/* Everything the board shall show, whole, every time; answered by ACK once the outputs are set, or REFUSED. */
#define MESSAGE_STATE 0x02
#define STATE_SESSION_AT 0
#define STATE_SEEN_AT 2
#define STATE_SEATS_AT 4
#define STATE_RIM_AT 5
#define STATE_FLAGS_AT 6
#define STATE_TUNE_AT 7
#define STATE_TUNE_COUNT_AT 9
#define STATE_SPANS_AT 10
#define STATE_SIZE 11

/* All presses up to this number have arrived. Not answered. STATE carries the same number. */
#define MESSAGE_SEEN 0x03
#define SEEN_SESSION_AT 0
#define SEEN_SEEN_AT 2
#define SEEN_SIZE 4

/* The answer to HELLO. The first four fields never change place. */
#define MESSAGE_INFO 0x81
#define INFO_MAGIC_AT 0
#define INFO_MAJOR_AT 2
#define INFO_MINOR_AT 3
#define INFO_FIRMWARE_MAJOR_AT 4
#define INFO_FIRMWARE_MINOR_AT 5
#define INFO_FIRMWARE_PATCH_AT 6
#define INFO_BUILD_AT 7
#define INFO_VARIANT_AT 11
#define INFO_SEATS_AT 12
#define INFO_BUTTONS_AT 13
#define INFO_RIM_AT 14
#define INFO_RESET_CAUSE_AT 15
#define INFO_SESSION_AT 16
#define INFO_LAST_EVENT_AT 18
#define INFO_DROPPED_AT 20
#define INFO_SIZE 22

/* Carries the sequence number of the STATE that is now shown. */
#define MESSAGE_ACK 0x82
#define ACK_SESSION_AT 0
#define ACK_LAST_EVENT_AT 2
#define ACK_DROPPED_AT 4
#define ACK_BAD_FRAMES_AT 6
#define ACK_FLAGS_AT 8
#define ACK_SIZE 9

/* The frame was whole but cannot be obeyed; nothing was changed. */
#define MESSAGE_REFUSED 0x83
#define REFUSED_SESSION_AT 0
#define REFUSED_REASON_AT 2
#define REFUSED_SIZE 3

/* Presses not yet acknowledged, oldest first; repeated until they are. */
#define MESSAGE_EVENTS 0x84
#define EVENTS_SESSION_AT 0
#define EVENTS_FIRST_AT 2
#define EVENTS_COUNT_AT 4
#define EVENTS_SIZE 5

#endif
