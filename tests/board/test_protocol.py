"""One definition, both sides: the generated files, the golden vectors in Python and in C."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from table.board import messages
from table.board.frames import Decoder, Frame, decode, encode
from table.board.protocol import PAYLOAD_MAX

ROOT = Path(__file__).resolve().parents[2]
VECTORS = json.loads((ROOT / "firmware" / "protocol" / "vectors.json").read_text())


@pytest.mark.parametrize("script", ["firmware/protocol/generate.py", "firmware/wiring/draw.py"])
def test_generated_files_are_as_their_source_says(script):
    result = subprocess.run(
        [sys.executable, str(ROOT / script), "--check"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


def values(message):
    kind = getattr(messages, message["message"])
    fields = dict(message["values"])
    for name, part in (("lights", messages.Light), ("spans", messages.Span), ("presses", messages.PressAge)):
        if name in fields:
            fields[name] = tuple(part(**entry) for entry in fields[name])
    return kind(**fields)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["words"])
def test_golden_vectors(vector):
    message = values(vector)
    frame = Frame(vector["type"], vector["sequence"], bytes.fromhex(vector["payload"]))
    wire = bytes.fromhex(vector["wire"])
    assert messages.pack(message, vector["sequence"]) == frame
    assert messages.unpack(frame) == message
    assert encode(frame) == wire
    assert list(Decoder().feed(wire)) == [frame]


def test_there_is_a_vector_for_every_message():
    assert {vector["message"] for vector in VECTORS} == {kind.__name__ for kind in messages.Message.__args__}


def test_a_payload_cut_short_is_no_message():
    for vector in VECTORS:
        payload = bytes.fromhex(vector["payload"])
        for length in range(len(payload)):
            assert messages.unpack(Frame(vector["type"], 1, payload[:length])) is None
        if vector["message"] != "Info":
            assert messages.unpack(Frame(vector["type"], 1, payload + b"\0")) is None


def test_a_board_of_another_major_version_is_still_recognised():
    info = messages.unpack(Frame(0x81, 1, bytes.fromhex("444f0907")))
    assert (info.major, info.minor) == (9, 7)
    longer = next(bytes.fromhex(vector["payload"]) for vector in VECTORS if vector["message"] == "Info") + b"new"
    assert messages.unpack(Frame(0x81, 1, longer)).session == 513


def test_unknown_messages_and_long_payloads():
    assert messages.unpack(Frame(0x55, 1, b"")) is None
    with pytest.raises(ValueError, match="49 bytes"):
        encode(Frame(1, 1, bytes(PAYLOAD_MAX + 1)))
    assert decode(b"") is None


def test_the_generator_module_is_importable_and_complete():
    sys.path.insert(0, str(ROOT / "firmware" / "protocol"))
    try:
        generator = importlib.import_module("generate")
    finally:
        sys.path.pop(0)
    assert generator.main(["--check"]) == 0
