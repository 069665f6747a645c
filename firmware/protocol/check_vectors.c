/* Reads lines "type sequence payload wire" (numbers, then hex; "-" for none) and checks that frame.c builds and takes the very
 * bytes that the Python side has. A program for the tests. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"

static int bytes_of(const char *hex, uint8_t *bytes)
{
    int count = 0;
    for (; hex[0] && hex[1] && hex[0] != '-'; hex += 2) {
        char pair[3] = {hex[0], hex[1], 0};
        bytes[count++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return count;
}

int main(void)
{
    unsigned type, sequence;
    char payload_hex[512], wire_hex[512];
    int lines = 0;
    while (scanf("%u %u %511s %511s", &type, &sequence, payload_hex, wire_hex) == 4) {
        uint8_t payload[256], wire[256], built[FRAME_WIRE_MAX];
        int count = bytes_of(payload_hex, payload), length = bytes_of(wire_hex, wire);
        int made = frame_build(built, (uint8_t)type, (uint8_t)sequence, payload, (uint8_t)count);
        lines++;
        if (made != length || memcmp(built, wire, (size_t)length) != 0) {
            printf("line %d: built other bytes\n", lines);
            return 1;
        }
        struct frame_decoder decoder;
        enum frame_result result = FRAME_MORE;
        memset(&decoder, 0, sizeof decoder);
        for (int i = 0; i < length; i++)
            result = frame_take(&decoder, wire[i]);
        if (result != FRAME_WHOLE || decoder.length != count + FRAME_HEAD || decoder.raw[0] != type ||
            decoder.raw[1] != sequence || memcmp(decoder.raw + FRAME_HEAD, payload, (size_t)count) != 0) {
            printf("line %d: took it otherwise\n", lines);
            return 1;
        }
    }
    printf("%d vectors agree\n", lines);
    return 0;
}
