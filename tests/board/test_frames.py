"""Frames: against independent libraries, and against damage."""

import random
import zlib

import cobs.cobs
from hypothesis import given
from hypothesis import strategies as st

from table.board.frames import RAW_MAX, Decoder, Frame, cobs_decode, cobs_encode, decode, encode

frames = st.builds(Frame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=48))


@given(st.binary(max_size=600))
def test_cobs_is_what_the_cobs_library_makes(data):
    assert cobs_encode(data) == cobs.cobs.encode(data)
    assert cobs_decode(cobs_encode(data)) == data


@given(st.binary(max_size=80))
def test_cobs_takes_what_the_library_takes(data):
    try:
        expected = cobs.cobs.decode(data)
    except cobs.cobs.DecodeError:
        expected = None
    assert cobs_decode(data) == expected


@given(st.lists(frames, max_size=5), st.data())
def test_frames_come_out_as_they_went_in_however_they_are_cut(sent, data):
    stream = b"".join(map(encode, sent))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    decoder = Decoder()
    got = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        got += decoder.feed(stream[start:end])
    assert got == sent
    assert decoder.bad_frames == 0


@given(st.binary(max_size=200), frames)
def test_junk_before_a_frame_costs_only_itself(junk, frame):
    decoder = Decoder()
    assert list(decoder.feed(junk + encode(frame)))[-1:] == [frame]


@given(frames, st.integers(0, 10_000))
def test_no_single_flipped_bit_gets_through(frame, position):
    wire = bytearray(encode(frame))
    wire[position % len(wire)] ^= 1 << position % 8
    assert all(got == frame for got in Decoder().feed(bytes(wire) + encode(frame)))


def test_too_long_is_thrown_away_and_memory_is_bounded():
    decoder = Decoder()
    for _ in range(100):
        assert list(decoder.feed(b"\x55" * 1000)) == []
    assert len(decoder._block) <= RAW_MAX + 1
    frame = Frame(1, 2, b"x")
    assert list(decoder.feed(b"\0" + encode(frame))) == [frame]
    assert decoder.bad_frames == 1


def test_a_frame_longer_than_a_board_takes_is_none():
    raw = bytes(RAW_MAX - 3)
    assert decode(cobs_encode(raw + zlib.crc32(raw).to_bytes(4, "little"))) is None


def test_damaged_frames_never_pass():
    """5,000 of them; tests/benchmarks/bench_board.py does 100,000."""
    chance = random.Random(2)
    decoder = Decoder()
    for _ in range(5000):
        frame = Frame(chance.randrange(256), chance.randrange(256), chance.randbytes(chance.randrange(49)))
        wire = bytearray(encode(frame))
        for _ in range(chance.randrange(1, 6)):
            wire[chance.randrange(len(wire))] ^= 1 << chance.randrange(8)
        assert all(got == frame for got in decoder.feed(bytes(wire)))
    assert decoder.bad_frames > 4000
