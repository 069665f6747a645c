"""The C core by itself: golden vectors, damage under the sanitizers, the same counts as the AVR, portability."""

import json
import random
import subprocess

import pytest

from table.board.frames import encode
from table.board.messages import Ack, Hello, Light, State, pack
from table.board.protocol import Colour


def test_golden_vectors_in_c(built, firmware):
    vectors = json.loads((firmware / "protocol" / "vectors.json").read_text())
    text = "".join(f"{v['type']} {v['sequence']} {v['payload'] or '-'} {v['wire']}\n" for v in vectors)
    program = built("vectors", "cc") / "check_vectors"
    result = subprocess.run([str(program)], input=text, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout.strip()) == (0, f"{len(vectors)} vectors agree"), result.stderr


def damage(chance, message, sequence):
    """A frame, sometimes whole, sometimes damaged, sometimes only junk."""
    wire = bytearray(encode(pack(message, sequence)))
    kind = chance.randrange(4)
    if kind == 0:
        return bytes(wire), True
    if kind == 1:
        wire[chance.randrange(len(wire))] ^= 1 << chance.randrange(8)
    elif kind == 2:
        del wire[chance.randrange(1, len(wire)) : chance.randrange(1, len(wire) + 1)]
    else:
        wire = bytearray(chance.randbytes(chance.randrange(1, 120)))
    return bytes(wire), False


def batter(rig, count, seed):
    """Send `count` damaged and whole frames; the board's answers, and its own count of bad frames."""
    chance = random.Random(seed)
    info = rig.greet()
    shown = (0, 0)
    for number in range(count):
        colour = chance.choice([Colour.RED, Colour.GREEN])
        message = State(info.session, 0, (Light(colour, 255), Light(), Light()))
        wire, whole = damage(chance, message, number % 255 + 1)
        rig.send(wire)
        rig.run(15)
        lamps = tuple(lamp & 1 for lamp in rig.lamps[:2])
        if whole:
            shown = (int(colour == Colour.RED), int(colour == Colour.GREEN))
        # a frame whose damage hit only its leading zero is whole all the same
        assert lamps == shown or (
            not whole and lamps in {(1, 0), (0, 1)} and wire.strip(b"\0") in encode(pack(message, number % 255 + 1))
        )
        shown = lamps
    [ack] = rig.ask(State(info.session, 0, (Light(), Light(), Light())), 1)
    assert isinstance(ack, Ack)
    return ack.bad_frames, [data for _, data in rig.received]


def test_damage_does_the_same_to_the_native_core_and_to_the_avr(board):
    counts = {}
    for name in ("sanitized", "shift"):
        rig = board(name)
        rig.run(30)
        if name == "shift":  # it counts its lives from 0, the other from 1: the same bytes for both
            rig.tell("R")
        rig.run(30)
        assert rig.greet().session == 1
        counts[name], _ = batter(rig, 300, seed=9)
    assert counts["sanitized"] == counts["shift"] > 100


def test_random_bytes_under_the_sanitizers(board):
    """A scaled-down soak; tests/benchmarks/bench_board.py does 100,000 frames."""
    rig = board("sanitized")
    chance = random.Random(4)
    info = rig.greet()
    for _ in range(300):
        rig.send(b"".join(chance.randbytes(chance.randrange(1, 80)) + b"\0" for _ in range(10)))
        rig.run(1)
        assert rig.lamps[0] & 255 == 0
    assert isinstance(rig.ask(State(info.session, 0, (Light(), Light(), Light())))[0], Ack)
    assert rig.ask(Hello())


@pytest.mark.parametrize(
    ("target", "needs"), [("arm", ("arm-none-eabi-gcc",)), ("fake", ("c++",)), ("sketch", ("avr-gcc", "arduino"))]
)
def test_compiles_for_other_boards(built, target, needs):
    built(target, *needs)
