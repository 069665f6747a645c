"""The uploader against the real Optiboot (package arduino-core-avr) in the emulator, and faulty image files."""

import pytest

from table.board.flash import FlashFault, flash, images, load, parse_hex
from table.board.messages import Light, State
from table.board.protocol import Colour


class BenchPort:
    """A pyserial port to a rig, as far as the uploader uses one; waiting lets the rig's time pass."""

    def __init__(self, rig):
        self.rig = rig
        self.timeout = 0.0
        self.waiting = b""

    def write(self, data):
        self.rig.send(data)

    def read(self, count):
        left_ms = self.timeout * 1000
        while len(self.waiting) < count and left_ms > 0:
            self.waiting += b"".join(data for _, data in self.rig.run(1))
            left_ms -= 1
        taken, self.waiting = self.waiting[:count], self.waiting[count:]
        return taken

    def reset_input_buffer(self):
        self.waiting = b""

    def close(self):
        pass


def test_flash_through_optiboot_then_the_board_answers(board, talk):
    rig = board("optiboot")
    port = BenchPort(rig)
    image = load(next(image for image in images() if image.variant == "shift"))
    steps = []
    chip = flash(
        "bench",
        image,
        reset=lambda port: rig.tell("R"),
        open_with=lambda name, baud: port,
        sleep=lambda seconds: rig.run(seconds * 1000),
        progress=lambda *step: steps.append(step),
    )
    assert chip == "ATmega328P"
    pages = -(-len(image) // 128)
    assert [step for step in steps if step[1] == step[2]] == [("writing", pages, pages), ("checking", pages, pages)]
    computer = talk(rig)
    computer.session.want(State(0, 0, (Light(Colour.RED, 255), Light(), Light())))
    assert computer.run(3000, until=lambda: rig.lamps[0] & 255 == 1)
    assert f"{computer.session.info.build:08x}" == images()[0].build


def test_a_page_that_reads_otherwise_is_noticed(board):
    rig = board("optiboot")

    class Worn(BenchPort):
        def read(self, count):
            got = bytearray(super().read(count))
            if count == 130:
                got[77] ^= 4
            return bytes(got)

    port = Worn(rig)
    with pytest.raises(FlashFault, match="page 1 of 2 does not read as it was written"):
        flash("bench", b"\x12" * 200, reset=lambda port: rig.tell("R"), open_with=lambda *_: port,
              sleep=lambda seconds: rig.run(seconds * 1000))  # fmt: skip


def test_no_bootloader_is_said(built, tmp_path):
    from table.board.simulator import Simulator

    simulator = Simulator(program=built("host", "cc") / "domino_board_host")
    try:
        with pytest.raises(FlashFault, match="no bootloader answers"):
            flash(simulator.port, b"\0" * 300, sleep=lambda seconds: None)
    finally:
        simulator.close()


GOOD = ":0400000001020304F2\n:00000001FF\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (":0400000001020304F3\n:00000001FF\n", "line 1 is no Intel HEX record"),
        ("hello", "line 1 is no Intel HEX record"),
        (":0400000001020304F2\n", "breaks off"),
        ("", "breaks off"),
        (":00000001FF\n:0400000001020304F2\n", "line 2"),
        (":020000021000EC\n:00000001FF\n", "larger chip"),
        (":017800000087\n:00000001FF\n", "bootloader"),
    ],
    ids=["checksum", "no hex", "no end", "empty", "after the end", "segment", "too long"],
)
def test_bad_images_are_refused(text, words):
    with pytest.raises(FlashFault, match=words):
        parse_hex(text, "x.hex")


def test_gaps_are_erased_flash():
    assert parse_hex(GOOD, "x") == b"\1\2\3\4"
    assert parse_hex(":0100020005F8\n" + GOOD.replace("0400000001020304F2", "010000000AF5"), "x") == b"\x0a\xff\x05"


def test_a_changed_image_is_refused(tmp_path):
    from dataclasses import replace

    image = images()[0]
    copy = tmp_path / "x.hex"
    copy.write_bytes(image.path.read_bytes().replace(b"00", b"01", 1))
    with pytest.raises(FlashFault, match="was changed"):
        load(replace(image, path=copy))
