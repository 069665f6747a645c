/* Bytes on the wire: COBS frames with a CRC-32. Knows nothing of what a frame says, and never touches hardware.
 *
 * On the wire: 00, COBS(type, sequence, payload, CRC-32 of all before it, little-endian), 00. The zero in front matters: without
 * it, noise before a frame would spoil the frame too.
 */
#ifndef DOMINO_FRAME_H
#define DOMINO_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h" /* PAYLOAD_MAX */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FRAME_HEAD = 2, /* type, sequence */
    FRAME_CRC = 4,
    FRAME_RAW_MAX = FRAME_HEAD + PAYLOAD_MAX + FRAME_CRC,
    FRAME_WIRE_MAX = FRAME_RAW_MAX + 3 /* one code byte (a frame is shorter than 254), two zeros */
};

enum frame_result { FRAME_MORE, FRAME_WHOLE, FRAME_BAD };

struct frame_decoder {
    uint8_t raw[FRAME_RAW_MAX];
    uint8_t length;    /* bytes in raw */
    uint8_t left;      /* data bytes until the next code byte */
    bool inside;       /* anything since the last zero */
    bool owes_zero;    /* the block that ends here stands for a zero, unless the frame ends here too */
    bool spoiled;      /* too long: ignore up to the next zero */
};

/* CRC-32 as in zip and Ethernet (reflected 0xEDB88320), of `count` bytes. */
uint32_t frame_crc(const uint8_t *bytes, uint8_t count);

/* Take one byte. FRAME_WHOLE: raw holds type, sequence, payload; length counts them without the CRC, and stays valid until
 * the next call. FRAME_BAD: something ended that was no frame. */
enum frame_result frame_take(struct frame_decoder *decoder, uint8_t byte);

/* Write a frame to `wire` (room for FRAME_WIRE_MAX) and return its length. `payload` has at most PAYLOAD_MAX bytes. */
uint8_t frame_build(uint8_t *wire, uint8_t type, uint8_t sequence, const uint8_t *payload, uint8_t count);

#ifdef __cplusplus
}
#endif
#endif
