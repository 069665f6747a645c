"""Write firmware/protocol/vectors.json anew, when the protocol changes; look at the difference before you commit it.

PYTHONPATH=. python firmware/protocol/make_vectors.py
"""

import json
from dataclasses import asdict
from pathlib import Path

from table.board.frames import encode
from table.board.messages import Ack, Events, Hello, Info, Light, PressAge, Refused, Seen, Span, State, pack

VECTORS = Path(__file__).resolve().parent / "vectors.json"

EXAMPLES = {
    "a computer asks": (1, Hello()),
    "a board answers": (1, Info(0x4F44, 1, 0, 1, 0, 0, 0x12345678, 1, 8, 2, 60, 1, 513, 0, 0)),
    "two seats, all dark": (2, State(513, 0, (Light(), Light(), Light()))),
    "seat 1 has the turn, seat 2 an illegal tile, the rim points at it": (
        3,
        State(513, 7, (Light(6, 255), Light(1, 85), Light(3, 15)), 60, 0, 0x1C7, 4, (Span(41, 3, 1),)),
    ),
    "eight seats, the longest state": (
        255,
        State(65535, 65535, tuple(Light(n % 7, 255) for n in range(9)), 60, 1, 65535, 255, (Span(0, 60, 6),) * 4),
    ),
    "shown": (3, Ack(513, 9, 0, 2, 2)),
    "refused": (4, Refused(513, 1)),
    "a press": (0, Events(513, 8, (PressAge(1, 0, 3),))),
    "four presses, one very old": (
        0,
        Events(513, 65534, (PressAge(7, 1, 65535), PressAge(0, 0, 256), PressAge(0, 1, 20), PressAge(3, 0, 0))),
    ),
    "taken": (5, Seen(513, 8)),
}


def vectors() -> list[dict[str, object]]:
    """Each example as its words, its values and its bytes."""
    found = []
    for words, (sequence, message) in EXAMPLES.items():
        frame = pack(message, sequence)
        found.append(
            {
                "words": words,
                "message": type(message).__name__,
                "values": asdict(message),
                "type": frame.type,
                "sequence": frame.sequence,
                "payload": frame.payload.hex(),
                "wire": encode(frame).hex(),
            }
        )
    return found


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), indent=1) + "\n", encoding="utf-8")
