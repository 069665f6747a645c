/* Coverage-guided fuzzing of the whole core (libFuzzer): bytes from the wire, time, buttons; see the target in the Makefile.
 *
 * A fuzzer does not guess a CRC-32, so the input is a list of commands: raw bytes, a payload that is framed properly here, a
 * step of time, other contacts. What must hold is checked after each: lamps only as the last obeyed STATE says, none after the
 * failsafe, the rim below the current limit, no answer longer than a frame.
 */

#include <stdlib.h>
#include <string.h>

#include "hal.h"

static uint32_t clock_ms;
static uint16_t held;
static uint8_t queue[512];
static size_t queue_at, queue_count;
static struct board_lamps lamps;
static uint32_t state_ms;
static bool state_seen;

void hal_start(struct board_identity *identity)
{
    struct board_identity me = {VARIANT_HOST, SEATS_MAX, RIM_MAX, RESET_CAUSE_POWER, 0};
    *identity = me;
}
uint32_t hal_millis(void) { return clock_ms; }
bool hal_read(uint8_t *byte)
{
    if (queue_at == queue_count)
        return false;
    *byte = queue[queue_at++];
    return true;
}
uint8_t hal_write_room(void) { return FRAME_WIRE_MAX; }
void hal_write(const uint8_t *bytes, uint8_t count)
{
    struct frame_decoder decoder;
    enum frame_result result = FRAME_MORE;
    memset(&decoder, 0, sizeof decoder);
    if (count > FRAME_WIRE_MAX)
        abort();
    for (uint8_t i = 0; i < count; i++)
        result = frame_take(&decoder, bytes[i]);
    if (result != FRAME_WHOLE)
        abort(); /* it sent something that is no frame */
    if (decoder.raw[0] == MESSAGE_ACK) {
        state_seen = true;
        state_ms = clock_ms;
    }
}
uint16_t hal_contacts(void) { return held; }
bool hal_mute_switch(void) { return false; }
void hal_lamps(struct board_lamps now) { lamps = now; }
void hal_buzzer(bool on)
{
    if (on && !state_seen)
        abort(); /* it sounds before anybody asked */
}
void hal_rim(const uint8_t *rgb, uint8_t pixels)
{
    uint32_t sum = 0;
    for (int i = 0; i < 3 * pixels; i++)
        sum += rgb[i];
    if (pixels > RIM_MAX || sum * 20 / 255 + pixels > 300)
        abort();
}
void hal_alive(void) {}
void hal_rest(void) {}

static void turn(void)
{
    do
        loop_turn();
    while (queue_at < queue_count);
    loop_turn();
    uint16_t seats = (uint16_t)((lamps.red | lamps.green | lamps.blue) & 0xFF);
    if (seats && (!state_seen || clock_ms - state_ms >= FAILSAFE_MS))
        abort(); /* a light that nobody asked for, or an old one */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    clock_ms = 0xFFFFF000UL; /* so that the clock wraps soon */
    held = 0;
    state_seen = false;
    memset(&lamps, 0, sizeof lamps);
    queue_at = queue_count = 0;
    loop_start();
    while (size >= 2) {
        uint8_t command = data[0], count = data[1];
        data += 2;
        size -= 2;
        if (count > size)
            count = (uint8_t)size;
        queue_at = queue_count = 0;
        switch (command & 3) {
        case 0: /* raw */
            memcpy(queue, data, count);
            queue_count = count;
            break;
        case 1: { /* framed */
            uint8_t body = count > PAYLOAD_MAX ? PAYLOAD_MAX : count;
            queue_count = frame_build(queue, (uint8_t)(command >> 2 & 7), command, data, body);
            count = body;
            break;
        }
        case 2: /* time */
            clock_ms += count * (command & 4 ? 1u : 16u);
            count = 0;
            break;
        default:
            held = (uint16_t)(command >> 2 | count << 6);
            for (int i = 0; i < 25; i++, clock_ms++)
                turn();
            count = 0;
            break;
        }
        turn();
        data += count;
        size -= count;
    }
    return 0;
}
