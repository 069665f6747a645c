"""One suite for every board: the native core, the shipped images and the Arduino sketch (these as AVR code in simavr).

Times are the board's own (virtual), so that nothing here depends on how busy this machine is.
"""

import random
from itertools import pairwise

import pytest

from table.board.frames import Decoder, Frame, encode
from table.board.messages import Ack, Events, Hello, Info, Light, Seen, Span, State, pack, unpack
from table.board.protocol import (
    FAILSAFE_MS,
    FIRMWARE,
    QUEUE_MAX,
    SLOT_MS,
    AckFlag,
    Colour,
    Refusal,
    ResetCause,
    StateFlag,
    Variant,
)
from table.board.session import Down, Lost, Shown, Up

DARK = Light()
RED = Light(Colour.RED, 255)
GREEN = Light(Colour.GREEN, 255)
TABLE = 1 << 8


def state(info, *lights, table=DARK, **more):
    return State(info.session, more.pop("seen", 0), (*lights, table), **more)


def press(rig, contact, *, ms=30):
    """Close a contact, with bounces, and open it again, with bounces."""
    for level in (1, 0, 1, 0, 1):
        rig.tell(f"B {level << contact:x}")
        rig.run(1)
    rig.run(ms)
    for level in (0, 1, 0):
        rig.tell(f"B {level << contact:x}")
        rig.run(2)
    rig.run(25)


def test_introduces_itself(rig):
    info = rig.greet()
    variant = {"host": Variant.HOST, "shift": Variant.SHIFT, "direct": Variant.DIRECT, "sketch": Variant.ARDUINO}
    assert info.variant == variant[rig.name]
    assert (info.seats, info.buttons, info.rim) == (rig.seats, 2, rig.rim)
    assert (info.firmware_major, info.firmware_minor, info.firmware_patch) == FIRMWARE
    assert (info.last_event, info.dropped) == (0, 0)
    if rig.name != "sketch":
        assert info.reset_cause == ResetCause.POWER


def test_another_version_is_answered_but_hears_no_presses(rig):
    press(rig, 0)
    answers = rig.ask(Hello(major=9), ms=200)
    assert [type(answer) for answer in answers] == [Info]


def test_something_else_gets_no_answer(rig):
    rig.send(b"M115\nATZ\r\n" * 20 + encode(pack(Hello(magic=1), 1)))
    assert rig.run(300) == []


def test_lamps_are_set_before_the_ack(rig):
    info = rig.greet()
    rig.received.clear()
    [ack] = rig.ask(state(info, RED, GREEN, table=Light(Colour.AMBER, 255)))
    assert isinstance(ack, Ack)
    assert rig.lamps == (1 | TABLE, 2 | TABLE, 0)
    assert rig.lamp_times[-1][0] <= rig.received[-1][0]


def test_every_seat_has_its_own_lamp(rig):
    info = rig.greet()
    for seat in range(rig.seats):
        lights = [DARK] * rig.seats
        lights[seat] = RED
        assert isinstance(rig.ask(state(info, *lights))[0], Ack)
        assert rig.lamps == (1 << seat, 0, 0)


def test_colours(rig):
    info = rig.greet()
    seen = {}
    for colour in Colour:
        rig.ask(state(info, Light(colour, 255), DARK))
        seen[colour.name] = tuple(lamp & 1 for lamp in rig.lamps)
    expected = {"OFF": (0, 0, 0), "RED": (1, 0, 0), "GREEN": (0, 1, 0), "AMBER": (1, 1, 0)}
    assert {name: seen[name] for name in expected} == expected
    # white lights no red: on a two-colour lamp it must not look amber, which asks a question
    assert seen["WHITE"][:2] == (0, 1)
    assert seen["BLUE"][:2] == (0, 0)


@pytest.mark.parametrize("pattern", [0b01010101, 0b00001111, 0b00000101])
def test_patterns_blink_by_themselves(rig, pattern):
    info = rig.greet()
    message = state(info, Light(Colour.RED, pattern), DARK)
    rig.ask(message, ms=10)
    seen = []
    for _ in range(8):  # the middle of each slot
        rig.send(encode(pack(message, 2)))  # keeps it awake
        rig.run(SLOT_MS / 2 - 10)
        seen.append(rig.lamps[0] & 1)
        rig.run(SLOT_MS / 2 + 10)
    assert seen == [pattern >> slot & 1 for slot in range(8)]


def test_the_same_state_again_changes_nothing(rig):
    info = rig.greet()
    message = state(info, RED, GREEN)
    rig.ask(message, 1)
    before = len(rig.lamp_times)
    for sequence in range(2, 12):
        [ack] = rig.ask(message, sequence)
        assert isinstance(ack, Ack)
    assert len(rig.lamp_times) == before


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda frame, info: Frame(frame.type, 1, b"\x55\x55" + frame.payload[2:]), Refusal.SESSION),
        (lambda frame, info: Frame(frame.type, 1, frame.payload[:-1]), Refusal.LENGTH),
        (lambda frame, info: Frame(frame.type, 1, frame.payload + b"\0"), Refusal.LENGTH),
        (lambda frame, info: Frame(frame.type, 1, frame.payload[:3]), Refusal.LENGTH),
        (lambda frame, info: Frame(frame.type, 1, frame.payload[:-2] + b"\x09\xff"), Refusal.VALUE),
        (lambda frame, info: pack(State(info.session, 0, (RED,) * 9, rim=61), 1), Refusal.VALUE),
        (lambda frame, info: Frame(0x77, 1, b""), Refusal.UNKNOWN),
    ],
    ids=[
        "another life",
        "too short",
        "too long",
        "much too short",
        "no such colour",
        "too much rim",
        "no such message",
    ],
)
def test_what_cannot_be_obeyed_is_refused_and_changes_nothing(rig, change, reason):
    info = rig.greet()
    good = state(info, GREEN, DARK)
    rig.ask(good)
    rig.send(encode(change(pack(good, 1), info)))
    [refused] = [frame for frame in rig.frames(20)]
    assert refused.payload[2] == reason
    assert rig.lamps == (0, 1, 0)


def test_goes_idle_when_the_computer_is_silent(rig):
    info = rig.greet()
    rig.ask(state(info, RED, GREEN), ms=20)
    said_at = rig.clock_us
    rig.lamp_times.clear()
    rig.run(2500)
    off_at = next(at for at, red, green, _ in rig.lamp_times if not (red | green) & 3)
    assert FAILSAFE_MS - 50 <= (off_at - said_at) / 1000 + 20 <= 2000
    assert all(not (red | green | blue) & 255 for at, red, green, blue in rig.lamp_times if at >= off_at)
    assert any(red & TABLE for at, red, _, _ in rig.lamp_times if at >= off_at)  # alive, and says so
    [ack] = rig.ask(state(info, RED, GREEN))
    assert ack.flags & AckFlag.IDLE
    assert rig.lamps == (1, 2, 0)


def test_a_press_with_bounces_is_one_press_repeated_until_seen(rig):
    info = rig.greet()
    rig.ask(state(info, DARK, DARK))
    rig.received.clear()
    press(rig, 2)
    rig.run(100)
    decoder = Decoder()
    answers = [unpack(frame) for _, data in rig.received for frame in decoder.feed(data)]
    assert len(answers) > 3
    for events in answers:
        assert events.first == 1
        assert [(p.seat, p.button) for p in events.presses] == [(1, 0)]
    ages = [events.presses[0].age_ms for events in answers]
    assert ages == sorted(ages)
    assert ages[0] <= 2
    rig.ask(Seen(info.session, 1))
    assert rig.run(200) == []


def test_state_acknowledges_presses_too(rig):
    info = rig.greet()
    rig.ask(state(info, DARK, DARK))
    press(rig, 3)
    rig.ask(state(info, DARK, DARK, seen=1))
    assert rig.run(200) == []


def test_a_full_queue_keeps_the_first_and_counts_the_rest(rig):
    info = rig.greet()
    for _ in range(QUEUE_MAX + 4):
        press(rig, 1)
    talk = [answer for answer in rig.ask(Hello()) if isinstance(answer, Info)]
    assert (talk[0].last_event, talk[0].dropped) == (QUEUE_MAX, 4)
    seen = 0
    for _ in range(10):
        for answer in rig.ask(Seen(info.session, seen), ms=40):
            if isinstance(answer, Events):
                assert answer.first <= seen + 1  # nothing was skipped
                seen = max(seen, answer.first + len(answer.presses) - 1)
    assert seen == QUEUE_MAX


def test_a_wrong_acknowledgement_loses_nothing(rig):
    info = rig.greet()
    rig.ask(state(info, DARK, DARK))
    press(rig, 0)
    for seen in (2, 100, 0xFFFF, 0x8000):
        rig.ask(Seen(info.session, seen))
    rig.ask(Seen(info.session ^ 1, 1))
    assert next(answer.first for answer in rig.ask(Hello(), ms=100) if isinstance(answer, Events)) == 1


def test_a_button_held_at_power_up_is_no_press(rig):
    rig.tell("B 1")
    rig.tell("P")
    rig.run(100)
    info = rig.greet()
    assert info.last_event == 0
    rig.tell("B 0")
    rig.run(50)
    press(rig, 0)
    assert rig.greet().last_event == 1


def test_junk_before_a_frame_does_not_spoil_it(rig):
    info = rig.greet()
    chance = random.Random(5)
    for sequence in range(1, 40):
        colour = chance.choice([Colour.RED, Colour.GREEN])
        junk = bytes(chance.randrange(1, 256) for _ in range(chance.randrange(0, 90)))
        rig.send(junk + encode(pack(state(info, Light(colour, 255), DARK), sequence)))
        assert [frame.sequence for frame in rig.frames(30)] == [sequence]
        assert rig.lamps == (int(colour == Colour.RED), int(colour == Colour.GREEN), 0)


def test_zeros_and_endless_frames_do_no_harm(rig):
    info = rig.greet()
    rig.send(b"\0" * 500 + b"\x7f" * 2000 + b"\0")
    rig.run(300)
    assert isinstance(rig.ask(state(info, RED, DARK))[0], Ack)


def test_the_buzzer_plays_once_and_can_be_silenced(rig):
    info = rig.greet()
    quiet = state(info, DARK, DARK, tune=0b101, tune_count=7)
    rig.ask(quiet)  # the first state is taken over silently: a reconnected board does not repeat an old sound
    rig.buzzes.clear()
    rig.run(300)
    assert not any(on for _, on in rig.buzzes)
    message = state(info, DARK, DARK, tune=0b101, tune_count=8)
    for sequence in range(1, 8):
        rig.ask(message, sequence, ms=200)
    assert [on for _, on in rig.buzzes] == [True, False, True, False]
    assert 60 <= (rig.buzzes[1][0] - rig.buzzes[0][0]) / 1000 <= 70
    rig.buzzes.clear()
    rig.ask(state(info, DARK, DARK, tune=0b101, tune_count=9, flags=StateFlag.MUTE), ms=300)
    assert rig.buzzes == []
    rig.tell("M 1")
    [ack] = rig.ask(state(info, DARK, DARK, tune=0b101, tune_count=10), ms=300)
    assert ack.flags & AckFlag.MUTED
    assert rig.buzzes == []


def test_right_lights_again_within_3_s_of_a_reset(rig, talk):
    computer = talk(rig)
    computer.session.want(State(0, 0, (GREEN, RED, DARK)))
    assert computer.run(1000, until=lambda: computer.session.up and rig.lamps == (2, 1, 0))
    press(rig, 0)
    computer.run(100)
    for how in ("R", "P"):
        rig.tell(how)
        computer.happenings.clear()
        computer.run(5)
        assert rig.lamps[0] & 255 == 0
        # the first fresh STATE may take a heartbeat, the greeting a HELLO
        assert computer.run(3000, until=lambda: rig.lamps == (2, 1, 0))
        computer.run(50)
        kinds = [type(happening) for happening in computer.happenings]
        assert kinds == [Lost, Up, Shown]
        assert computer.happenings[1].restarted
    assert [p.number for p in computer.pressed] == [1]


def test_a_pulled_cable_loses_no_press(rig, talk):
    computer = talk(rig)
    computer.run(300)
    computer.pull()
    for contact in (0, 3, 1, 2):
        press(rig, contact)
    computer.run(2500)
    assert rig.lamps[0] & 255 == 0
    computer.plug()
    computer.run(500)
    assert [(p.seat, p.button, p.number) for p in computer.pressed] == [(0, 0, 1), (1, 1, 2), (0, 1, 3), (1, 0, 4)]
    assert not any(isinstance(happening, Lost) for happening in computer.happenings)
    ages = [rig.clock_us / 1e6 - p.at for p in computer.pressed]
    assert all(older > newer for older, newer in pairwise(ages))
    assert ages[0] > 2.9


@pytest.mark.parametrize("name", ["host", "shift"])
def test_presses_arrive_once_and_in_order_over_a_bad_cable(board, talk, name):
    """One bit in a hundred flipped in both directions, and two cable pulls; bench_board.py does 1,000 presses."""
    rig = board(name)
    rig.run(30)
    chance = random.Random(11)

    def flip(data: bytes) -> bytes:
        return bytes(byte ^ sum(1 << bit for bit in range(8) if chance.random() < 0.01) for byte in data)

    computer = talk(rig, down=flip, up=flip)
    assert computer.run(5000, until=lambda: computer.session.up)
    expected = []
    for number in range(16):
        contact = chance.randrange(4)
        expected.append((contact // 2, contact % 2))
        if number in (5, 11):
            computer.pull()
            press(rig, contact)
            computer.run(700)
            computer.plug()
        else:
            press(rig, contact)
        assert computer.run(30000, until=lambda n=number: len(computer.pressed) >= n - 8)
    computer.run(30000, until=lambda: len(computer.pressed) >= 16)
    computer.run(1000)
    assert [(p.seat, p.button) for p in computer.pressed] == expected
    assert [p.number for p in computer.pressed] == list(range(1, 17))
    assert not any(isinstance(happening, Lost) for happening in computer.happenings)


def test_a_silent_board_is_noticed_and_comes_back(rig, talk):
    computer = talk(rig)
    computer.session.want(State(0, 0, (RED, DARK, DARK)))
    computer.run(300)
    computer.up = lambda data: b""
    computer.happenings.clear()
    assert computer.run(2500, until=lambda: any(isinstance(h, Down) for h in computer.happenings))
    computer.up = bytes
    assert computer.run(1000, until=lambda: any(isinstance(h, Up) and not h.restarted for h in computer.happenings))


def test_rim_shows_seats_and_points(rim_rig):
    rig = rim_rig
    info = rig.greet()
    rig.rims.clear()
    rig.ask(state(info, RED, GREEN, rim=16, spans=(Span(14, 3, Colour.BLUE),)), ms=30)
    rgb = rig.rims[-1].rgb
    pixels = [
        "rgb"[max(range(3), key=lambda c: rgb[3 * i + c])] if any(rgb[3 * i : 3 * i + 3]) else "." for i in range(16)
    ]
    # pixel 0 is the corner right of seat 1; with two seats its half is centred on the first side's middle, pixel 2
    assert "".join(pixels) == "brrrrrggggggggbb"
    rig.ask(state(info, RED, GREEN, rim=4), ms=30)
    assert len(rig.rims[-1].rgb) == 3 * 16  # the rest is darkened once
    assert not any(rig.rims[-1].rgb[3 * 4 :])
    rig.ask(state(info, RED, GREEN, rim=0), ms=30)
    assert not any(rig.rims[-1].rgb)


def test_rim_stays_below_the_current_limit(rim_rig):
    rig = rim_rig
    info = rig.greet()
    chance = random.Random(3)
    rig.rims.clear()
    for sequence in range(1, 60):
        length = chance.randrange(1, 61)
        lights = [Light(chance.randrange(7), chance.randrange(256)) for _ in range(rig.seats)]
        if sequence < 8:
            length, lights = 60, [Light(Colour(sequence % 7), 255)] * rig.seats
        rig.ask(state(info, *lights, rim=length), sequence, ms=30)
    assert len(rig.rims) >= 59
    milliamps = [sum(rim.rgb) * 20 / 255 + len(rim.rgb) / 3 for rim in rig.rims]
    assert max(milliamps) <= 300
    assert max(milliamps) > 200  # it is a limit, not darkness
