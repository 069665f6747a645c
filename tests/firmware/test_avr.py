"""What only the real image can show: pulse widths on the strip, resets, memory, the bytes that are shipped."""

import json

import pytest

from table.board.messages import Ack, Light, State
from table.board.protocol import Colour, ResetCause, Variant
from table.board.session import Lost

NS_A_CYCLE = 62.5


def test_strip_pulses_are_within_the_data_sheet(board):
    """Worldsemi WS2812B v5: 0 high 220..380 ns, 1 high 580..1000 ns; early chips latch after some 6 us of pause."""
    for name in ("shift", "direct"):
        rig = board(name)
        rig.run(30)
        info = rig.greet()
        for sequence, colour in enumerate(Colour, 1):
            lights = [Light(colour, 0b1011)] * rig.seats
            rig.ask(State(info.session, 0, (*lights, Light()), rim=60), sequence, ms=30)
        assert len(rig.rims) == len(Colour) + 1  # one more at start, to darken what an earlier life left
        for rim in rig.rims:
            zero_least, zero_most, one_least, one_most, bit_least, bit_most = (n * NS_A_CYCLE for n in rim.cycles)
            assert len(rim.rgb) == 180
            assert 220 <= zero_least <= zero_most <= 380
            assert one_most == 0 or 580 <= one_least <= one_most <= 1000
            assert bit_least >= 1200
            assert bit_most <= 5000


def test_nothing_flashes_at_power_up(board):
    for name in ("shift", "direct"):
        rig = board(name)
        rig.run(2000)
        assert all(red & 255 == green & 255 == blue == 0 for _, red, green, blue in rig.lamp_times)
        assert not any(on for _, on in rig.buzzes)
        assert all(not any(rim.rgb) for rim in rig.rims)


def test_a_hung_program_restarts_and_says_so(board, talk):
    for name in ("shift", "direct", "sketch"):
        rig = board(name)
        computer = talk(rig)
        computer.session.want(State(0, 0, (Light(Colour.RED, 255), Light(), Light())))
        assert computer.run(1000, until=lambda rig=rig: rig.lamps[0] == 1)
        rig.tell("J")
        computer.run(350)
        assert rig.resets == 2  # power on, and the watchdog after 250 ms
        assert computer.run(3000, until=lambda rig=rig: rig.lamps[0] == 1)
        computer.run(10)
        [lost] = [happening for happening in computer.happenings if isinstance(happening, Lost)]
        if name != "sketch":  # Arduino's own start-up hides the cause
            assert lost.reason == "the board hung and restarted itself"
            assert computer.session.info.reset_cause == ResetCause.WATCHDOG


def test_every_life_has_another_number(board):
    rig = board("shift")
    numbers = []
    for how in ("", "R", "P", "R"):
        rig.tell(how)
        rig.run(50)
        info = rig.greet()
        numbers.append((info.session, info.reset_cause))
    assert len({session for session, _ in numbers}) == 4
    causes = [ResetCause.POWER, ResetCause.EXTERNAL, ResetCause.POWER, ResetCause.EXTERNAL]
    assert [cause for _, cause in numbers] == causes


def test_no_byte_is_lost_when_the_computer_waits_for_each_ack(board, talk):
    rig = board("shift")
    rig.run(30)  # at start it darkens the strip and hears nothing meanwhile
    computer = talk(rig)
    computer.run(300)
    overruns_before = rig.stats()[1]
    for turn in range(150):
        lights = tuple(Light(1 + (turn + seat) % 6, 255) for seat in range(8))
        computer.session.want(State(0, 0, (*lights, Light()), rim=60))
        computer.run(15)
    assert computer.session.bad_frames_there == computer.session.bad_frames_here == 0
    assert rig.stats()[1] == overruns_before


def test_memory_is_left(board, talk):
    rig = board("shift")
    computer = talk(rig)
    computer.session.want(State(0, 0, (Light(1, 255),) * 9, rim=60))
    computer.run(500)
    rig.tell("B ffff")
    computer.run(300)
    untouched = rig.stats()[4]
    assert untouched > 700  # of 2048 bytes, never written to


def test_six_seconds_of_table_time(board, talk):
    """Lights and presses through the real Session without a fault; bench_board.py does an hour."""
    rig = board("shift")
    rig.run(30)  # at start it darkens the strip and hears nothing meanwhile
    computer = talk(rig)
    for turn in range(10):
        computer.session.want(State(0, 0, (Light(1 + turn % 3, 255), Light(), Light())))
        rig.tell(f"B {1 << turn % 4:x}")
        computer.run(60)
        rig.tell("B 0")
        computer.run(540)
    assert [p.number for p in computer.pressed] == list(range(1, 11))
    assert computer.session.bad_frames_there == computer.session.bad_frames_here == 0


def test_the_sketch_built_for_an_uno_is_the_same_board(board):
    rig = board("sketch_uno")
    rig.run(30)
    info = rig.greet()
    assert (info.variant, info.seats, info.rim) == (Variant.SHIFT, 8, 60)
    [ack] = rig.ask(State(info.session, 0, (Light(Colour.RED, 255), Light(Colour.GREEN, 255), Light()), rim=60))
    assert isinstance(ack, Ack)
    assert rig.lamps == (1, 2, 0)
    assert len(rig.rims[-1].rgb) == 180


def test_shipped_images_are_what_the_sources_give(built, firmware):
    record = json.loads((firmware / "prebuilt" / "prebuilt.json").read_text())
    folder = built("hex", "avr-gcc")
    from subprocess import run

    version = run(["avr-gcc", "-dumpversion"], capture_output=True, text=True, check=True).stdout.strip()
    if version != record["compiler_version"]:
        pytest.skip(f"built with avr-gcc {record['compiler_version']}, this machine has {version}")
    for entry in record["images"].values():
        fresh = (folder / entry["file"]).read_bytes()
        assert fresh == (firmware / "prebuilt" / entry["file"]).read_bytes(), "run: make -C firmware prebuilt"


def test_size_budget(firmware):
    """A quarter of the flash and half of the RAM: an older chip or a longer rim must still be possible."""
    for entry in json.loads((firmware / "prebuilt" / "prebuilt.json").read_text())["images"].values():
        assert entry["flash_bytes"] <= 8192
        assert entry["ram_bytes"] <= 1024
