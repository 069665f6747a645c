"""Bytes of the serial link: COBS frames with a CRC-32. The first of three layers; knows no port and no meaning.

A frame on the wire is ``00 COBS(type, sequence, payload, crc) 00``, the CRC (as in zip) little-endian. It must give the
same bytes as firmware/domino_board/src/frame.c; firmware/protocol/vectors.json is checked against both.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from table.board.protocol import PAYLOAD_MAX

RAW_MAX = 2 + PAYLOAD_MAX + 4


@dataclass(frozen=True, slots=True)
class Frame:
    """What one frame carries: message type, sequence number (both 0..255), payload of at most PAYLOAD_MAX bytes."""

    type: int
    sequence: int
    payload: bytes


def cobs_encode(data: bytes) -> bytes:
    """`data` without any zero byte: each zero is replaced by the distance to the next."""
    blocks = bytearray()
    for block in data.split(b"\0"):
        rest = block
        while len(rest) >= 254:
            blocks.append(255)
            blocks += rest[:254]
            rest = rest[254:]
        blocks.append(len(rest) + 1)
        blocks += rest
    return bytes(blocks)


def cobs_decode(data: bytes) -> bytes | None:
    """The bytes that `cobs_encode` was given, or None when `data` was not made by it."""
    out = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        block = data[at + 1 : at + code]
        if code == 0 or len(block) != code - 1 or 0 in block:
            return None
        out += block
        at += code
        if code < 255 and at < len(data):
            out.append(0)
    return bytes(out)


def encode(frame: Frame) -> bytes:
    """The frame's bytes on the wire, both zeros included."""
    if len(frame.payload) > PAYLOAD_MAX:
        raise ValueError(f"a payload of {len(frame.payload)} bytes, at most {PAYLOAD_MAX} fit")
    raw = bytes((frame.type, frame.sequence)) + frame.payload
    return b"\0" + cobs_encode(raw + zlib.crc32(raw).to_bytes(4, "little")) + b"\0"


def decode(block: bytes) -> Frame | None:
    """What stands between two zeros, or None when it is damaged or no frame."""
    raw = cobs_decode(block)
    if raw is None or not 6 <= len(raw) <= RAW_MAX or zlib.crc32(raw[:-4]) != int.from_bytes(raw[-4:], "little"):
        return None
    return Frame(raw[0], raw[1], raw[2:-4])


class Decoder:
    """Finds frames in a stream of bytes, whatever lies between them. Memory is bounded."""

    def __init__(self) -> None:
        self._block = bytearray()
        self._spoiled = False
        self.bad_frames = 0

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Yield the frames that `data` completes."""
        parts = data.split(b"\0")
        for index, part in enumerate(parts):
            if len(self._block) + len(part) > RAW_MAX + 1:
                self._spoiled = True
                self._block.clear()
            elif not self._spoiled:
                self._block += part
            if index < len(parts) - 1:
                frame = decode(bytes(self._block)) if self._block else None
                if frame is None and (self._spoiled or self._block):
                    self.bad_frames += 1
                self._block.clear()
                self._spoiled = False
                if frame is not None:
                    yield frame
