/* State of the board and the messages that change it; see board.h. What is painted from it: paint.c. */

#include "board.h"

#include <string.h> /* memset, memcmp */

#ifndef BUILD_ID
#define BUILD_ID 0 /* built by hand, in the Arduino IDE */
#endif

static uint16_t get16(const uint8_t *at) { return (uint16_t)(at[0] | (uint16_t)at[1] << 8); }

static void put16(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

void board_start(struct board *board, const struct board_identity *identity, uint32_t now_ms)
{
    memset(board, 0, sizeof *board);
    board->identity = *identity;
    board->now_ms = board->sampled_ms = board->changed_ms = now_ms;
    board->idle = true;
    board->first_event = 1;
    /* A button held while the power comes on is no press: every contact counts as closed until it was seen open. */
    for (uint8_t i = 0; i < BUTTONS_MAX; i++)
        board->contacts[i].down = true;
}

/* ---- buttons ---- */

static uint16_t last_event(const struct board *board) { return (uint16_t)(board->first_event + board->queue_count - 1); }

static void press(struct board *board, uint8_t index)
{
    if (board->queue_count == QUEUE_MAX) {
        if (board->dropped < 0xFFFF)
            board->dropped++;
        return;
    }
    struct board_press *slot = &board->queue[(board->queue_head + board->queue_count++) % QUEUE_MAX];
    slot->what = (uint8_t)((index / BUTTONS_A_SEAT) << 4 | index % BUTTONS_A_SEAT);
    slot->at_ms = board->now_ms;
    board->events_due = true;
}

static void forget_seen(struct board *board, uint16_t seen)
{
    uint16_t count = (uint16_t)(seen - board->first_event + 1);
    if (count == 0 || count > board->queue_count)
        return; /* already forgotten, or a number that was never given */
    board->queue_head = (uint8_t)((board->queue_head + count) % QUEUE_MAX);
    board->queue_count = (uint8_t)(board->queue_count - count);
    board->first_event = (uint16_t)(board->first_event + count);
    board->events_due = true; /* more may be waiting than fit in a frame */
}

static void sample(struct board *board, uint16_t contacts)
{
    uint8_t buttons = (uint8_t)(board->identity.seats * BUTTONS_A_SEAT);
    for (uint8_t i = 0; i < buttons; i++, contacts >>= 1) {
        struct board_contact *contact = &board->contacts[i];
        bool closed = contacts & 1;
        if (closed == contact->down) {
            contact->count = 0;
        } else if (++contact->count >= (closed ? PRESS_MS : RELEASE_MS)) {
            contact->count = 0;
            contact->down = closed;
            if (closed)
                press(board, i);
        }
    }
}

void board_step(struct board *board, uint32_t now_ms, uint16_t contacts, bool mute_switch)
{
    board->now_ms = now_ms;
    board->muted_here = mute_switch;
    if (now_ms != board->sampled_ms) {
        board->sampled_ms = now_ms;
        sample(board, contacts);
    }
    if (!board->idle && now_ms - board->heard_ms >= FAILSAFE_MS) {
        /* The computer is gone: never leave an old verdict standing. */
        board->idle = true;
        board->changed_ms = now_ms;
        board->rim_due = board->shown.rim > 0;
        board->greeted = false;
    }
    if (board->queue_count && now_ms - board->events_ms >= EVENTS_REPEAT_MS)
        board->events_due = true;
}

/* ---- messages ---- */

static bool refuse(struct board *board, uint8_t sequence, uint8_t reason)
{
    board->refused_due = true;
    board->refused_sequence = sequence;
    board->refused_reason = reason;
    return true;
}

static bool take_state(struct board *board, uint8_t sequence, const uint8_t *payload, uint8_t count)
{
    struct board_shown next;
    memset(&next, 0, sizeof next); /* also the padding: it is compared as bytes below */
    if (count < STATE_SIZE)
        return refuse(board, sequence, REFUSAL_LENGTH);
    if (get16(payload + STATE_SESSION_AT) != board->identity.session)
        return refuse(board, sequence, REFUSAL_SESSION);
    next.seats = payload[STATE_SEATS_AT];
    next.rim = payload[STATE_RIM_AT];
    next.spans_count = payload[STATE_SPANS_AT];
    next.mute = payload[STATE_FLAGS_AT] & FLAG_STATE_MUTE;
    if (next.seats > board->identity.seats || next.rim > board->identity.rim || next.spans_count > SPANS_MAX)
        return refuse(board, sequence, REFUSAL_VALUE);
    if (count != STATE_SIZE + 2 * (next.seats + 1) + 4 * next.spans_count)
        return refuse(board, sequence, REFUSAL_LENGTH);

    const uint8_t *at = payload + STATE_SIZE;
    for (uint8_t i = 0; i <= next.seats; i++, at += 2) {
        next.lights[i].colour = at[0];
        next.lights[i].pattern = at[1];
        if (at[0] > COLOUR_WHITE)
            return refuse(board, sequence, REFUSAL_VALUE);
    }
    for (uint8_t i = 0; i < next.spans_count; i++, at += 4) {
        struct board_span span = {at[0], at[1], at[2], at[3]};
        if (span.start >= next.rim || span.length > next.rim || span.colour > COLOUR_WHITE)
            return refuse(board, sequence, REFUSAL_VALUE);
        next.spans[i] = span;
    }

    board->rim_due = next.rim > 0 || board->shown.rim > 0; /* also when it gets shorter or goes: loop.c darkens the rest */
    if (board->idle || memcmp(&next, &board->shown, sizeof next) != 0) {
        board->changed_ms = board->now_ms;
        board->shown = next;
    }
    board->was_idle = board->idle;
    board->idle = false;
    board->greeted = true;
    board->heard_ms = board->now_ms;
    if (payload[STATE_TUNE_COUNT_AT] != board->tune_count || !board->tune_known) {
        board->tune_ms = board->now_ms;
        board->tune = board->tune_known ? get16(payload + STATE_TUNE_AT) : 0;
        board->tune_count = payload[STATE_TUNE_COUNT_AT];
        board->tune_known = true;
    }
    forget_seen(board, get16(payload + STATE_SEEN_AT));
    board->ack_due = true;
    board->ack_sequence = sequence;
    return true;
}

static bool obey(struct board *board)
{
    const uint8_t *raw = board->decoder.raw;
    const uint8_t *payload = raw + FRAME_HEAD;
    uint8_t count = (uint8_t)(board->decoder.length - FRAME_HEAD);
    uint8_t sequence = raw[1];
    switch (raw[0]) {
    case MESSAGE_HELLO:
        /* Answered whatever follows the magic, so that another version is told apart from another device. */
        if (count < HELLO_SIZE || get16(payload + HELLO_MAGIC_AT) != MAGIC)
            return false;
        board->greeted = payload[HELLO_MAJOR_AT] == PROTOCOL_MAJOR;
        board->info_due = true;
        board->info_sequence = sequence;
        return true;
    case MESSAGE_STATE:
        return take_state(board, sequence, payload, count);
    case MESSAGE_SEEN:
        if (count == SEEN_SIZE && get16(payload + SEEN_SESSION_AT) == board->identity.session)
            forget_seen(board, get16(payload + SEEN_SEEN_AT));
        return true;
    default:
        return refuse(board, sequence, REFUSAL_UNKNOWN);
    }
}

bool board_receive(struct board *board, uint8_t byte, uint32_t now_ms)
{
    board->now_ms = now_ms;
    switch (frame_take(&board->decoder, byte)) {
    case FRAME_WHOLE:
        return obey(board);
    case FRAME_BAD:
        if (board->bad_frames < 0xFFFF)
            board->bad_frames++;
        return false;
    case FRAME_MORE:
        break;
    }
    return false;
}

static uint8_t build_info(struct board *board, uint8_t *payload)
{
    uint32_t build = BUILD_ID;
    put16(payload + INFO_MAGIC_AT, MAGIC);
    payload[INFO_MAJOR_AT] = PROTOCOL_MAJOR;
    payload[INFO_MINOR_AT] = PROTOCOL_MINOR;
    payload[INFO_FIRMWARE_MAJOR_AT] = FIRMWARE_MAJOR;
    payload[INFO_FIRMWARE_MINOR_AT] = FIRMWARE_MINOR;
    payload[INFO_FIRMWARE_PATCH_AT] = FIRMWARE_PATCH;
    put16(payload + INFO_BUILD_AT, (uint16_t)build);
    put16(payload + INFO_BUILD_AT + 2, (uint16_t)(build >> 16));
    payload[INFO_VARIANT_AT] = board->identity.variant;
    payload[INFO_SEATS_AT] = board->identity.seats;
    payload[INFO_BUTTONS_AT] = BUTTONS_A_SEAT;
    payload[INFO_RIM_AT] = board->identity.rim;
    payload[INFO_RESET_CAUSE_AT] = board->identity.reset_cause;
    put16(payload + INFO_SESSION_AT, board->identity.session);
    put16(payload + INFO_LAST_EVENT_AT, last_event(board));
    put16(payload + INFO_DROPPED_AT, board->dropped);
    return INFO_SIZE;
}

static uint8_t build_ack(struct board *board, uint8_t *payload)
{
    put16(payload + ACK_SESSION_AT, board->identity.session);
    put16(payload + ACK_LAST_EVENT_AT, last_event(board));
    put16(payload + ACK_DROPPED_AT, board->dropped);
    put16(payload + ACK_BAD_FRAMES_AT, board->bad_frames);
    payload[ACK_FLAGS_AT] = (uint8_t)((board->muted_here ? FLAG_ACK_MUTED : 0) | (board->was_idle ? FLAG_ACK_IDLE : 0));
    return ACK_SIZE;
}

static uint8_t build_events(struct board *board, uint8_t *payload)
{
    uint8_t count = board->queue_count < EVENTS_A_FRAME ? board->queue_count : EVENTS_A_FRAME;
    put16(payload + EVENTS_SESSION_AT, board->identity.session);
    put16(payload + EVENTS_FIRST_AT, board->first_event);
    payload[EVENTS_COUNT_AT] = count;
    uint8_t *at = payload + EVENTS_SIZE;
    for (uint8_t i = 0; i < count; i++, at += 3) {
        const struct board_press *slot = &board->queue[(board->queue_head + i) % QUEUE_MAX];
        uint32_t age_ms = board->now_ms - slot->at_ms;
        at[0] = slot->what;
        put16(at + 1, age_ms > 0xFFFF ? 0xFFFF : (uint16_t)age_ms);
    }
    return (uint8_t)(at - payload);
}

uint8_t board_answer(struct board *board, uint8_t *wire)
{
    uint8_t payload[PAYLOAD_MAX];
    if (board->info_due) {
        board->info_due = false;
        return frame_build(wire, MESSAGE_INFO, board->info_sequence, payload, build_info(board, payload));
    }
    if (board->ack_due) {
        board->ack_due = false;
        return frame_build(wire, MESSAGE_ACK, board->ack_sequence, payload, build_ack(board, payload));
    }
    if (board->refused_due) {
        board->refused_due = false;
        put16(payload + REFUSED_SESSION_AT, board->identity.session);
        payload[REFUSED_REASON_AT] = board->refused_reason;
        return frame_build(wire, MESSAGE_REFUSED, board->refused_sequence, payload, REFUSED_SIZE);
    }
    /* Presses go only to a computer that is known to listen; until then they wait in the queue. */
    if (board->events_due && board->greeted) {
        board->events_due = false;
        board->events_ms = board->now_ms;
        if (board->queue_count)
            return frame_build(wire, MESSAGE_EVENTS, 0, payload, build_events(board, payload));
    }
    return 0;
}
