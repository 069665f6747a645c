"""`dominoref board ...` as a person runs it."""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from table.board import flash as flash_module
from table.board import selftest as walk
from table.board import words
from table.board.frames import encode
from table.board.messages import Ack, Hello, Light, Seen, Span, State, pack
from table.board.simulator import Lamps

ROOT = Path(__file__).resolve().parents[2]


def dominoref(*arguments, stdin="", timeout=90):
    return subprocess.run(
        [sys.executable, "-m", "table.shell.main", "board", *arguments],
        input=stdin, capture_output=True, text=True, check=False, timeout=timeout, cwd=ROOT,
    )  # fmt: skip


def test_monitor_speaks_readable_lines_both_ways(simulator):
    result = dominoref("monitor", "--port", simulator.port, "--for", "2", stdin="2 illegal\n9 turn\n1 waltz\ntable\n")
    assert result.returncode == 0, result.stderr
    assert "> " in result.stdout
    assert "HELLO protocol 1.0" in result.stdout
    assert "INFO host board, firmware" in result.stdout
    assert "2 red fast; table dark" in result.stdout
    assert "< " in result.stdout
    assert "ACK 0 presses" in result.stdout
    assert [line.partition(": ")[2] for line in result.stderr.splitlines()] == [
        "9: no such seat; 1..4 or table",
        "waltz: no such meaning; turn, accepted, illegal, ask, idle",
        "type a seat (1..4 or table) and a meaning (turn, accepted, illegal, ask, idle)",
    ]


def test_a_missing_port_is_one_line_and_status_1(tmp_path):
    for action in ("monitor", "test", "flash"):
        result = dominoref(action, "--port", str(tmp_path / "ttyACM5"))
        assert (result.returncode, result.stdout) == (1, "")
        [line] = result.stderr.splitlines()
        assert "no such port" in line
        assert "Traceback" not in line


def test_wrong_usage_is_status_2():
    assert dominoref("flash", "--variant", "toaster").returncode == 2
    assert dominoref("monitor", "--port", "none").returncode == 2
    assert dominoref("sim", "--seats", "12").returncode == 2
    assert dominoref().returncode == 2


def test_list_names_ports_without_asking():
    result = dominoref("list", "--json", "--no-ask")
    assert result.returncode == 0
    assert all(
        {"port", "candidate", "board", "fault"} <= json.loads(line).keys() for line in result.stdout.splitlines()
    )


def test_flash_info_is_what_is_shipped():
    result = dominoref("flash-info", "--json")
    entries = [json.loads(line) for line in result.stdout.splitlines()]
    assert {entry["variant"] for entry in entries} == {"shift", "direct"}
    for entry in entries:
        assert Path(entry["file"]).is_file()
        assert entry["flash_bytes"] <= 8192
        assert entry["ram_bytes"] <= 1024
    assert all(flash_module.load(image) for image in flash_module.images())


def test_sim_draws_the_board_and_keys_are_buttons(needs_simulator, wait, tmp_path):
    """In a terminal of its own, with the real link on the other end."""
    from table.board import open_board

    main, other = os.openpty()
    os.set_blocking(main, False)
    link = tmp_path / "port"
    command = [sys.executable, "-m", "table.shell.main", "board", "sim", "--link", str(link)]
    process = subprocess.Popen(command, stdin=other, stdout=other, stderr=other, cwd=ROOT)
    os.close(other)
    screen = bytearray()

    def see(what=None):
        with contextlib.suppress(BlockingIOError, OSError):  # nothing new; or the process has ended
            screen.extend(os.read(main, 65536))
        return what is not None and what in bytes(screen)

    try:
        assert wait(lambda: see(b"x end"), 60)
        with open_board(str(link), 4) as board:
            board.show([{"seat": 2, "meaning": "turn", "colour": "green"}])
            assert wait(lambda: see(b"3:\x1b[32;1mG"))
            presses = []
            for count, key in enumerate((b"2", b"q"), 1):
                os.write(main, key)
                assert wait(lambda n=count: see() or presses.extend(board.presses(0.0)) or len(presses) == n)
            assert [(press.seat, press.button) for press in presses] == [(1, "pass"), (0, "done")]
        os.write(main, b"x")
        assert wait(lambda: see() or process.poll() is not None)
        assert process.returncode == 0
    finally:
        process.kill()
        process.wait()
        os.close(main)


@pytest.mark.parametrize(("answers", "status", "end"), [("y\n" * 5, 1, "faults"), ("n\nq\n", 1, "not finished")])
def test_test_walks_through_and_reports(simulator, tmp_path, answers, status, end):
    report = tmp_path / "report.txt"
    if end == "faults":
        stdin = answers  # and nobody presses: shorten the wait
        code = (
            "import sys; from table.board import selftest as walk; from table.shell import main;"
            "real = walk.run; walk.run = lambda *a, **k: real(*a, patience_s=0.1);"
            "sys.exit(main.main(sys.argv[1:]))"
        )
        result = subprocess.run(
            [sys.executable, "-c", code, "board", "test", "--port", simulator.port, "--seats", "2", "--report", report],
            input=stdin, capture_output=True, text=True, check=False, timeout=90, cwd=ROOT,
        )  # fmt: skip
        assert "ok: lamp of seat 2 green, two short blinks" in result.stdout
        assert "FAULT: button pass of seat 1" in result.stdout
    else:
        result = dominoref("test", "--port", simulator.port, "--report", str(report), stdin=answers)
        assert "FAULT: lamp of seat 1 red, blinking fast" in result.stdout
    assert result.returncode == status
    assert end in report.read_text()


def test_the_walk_finds_every_button(simulator, wait):
    from table.board import open_board
    from table.board.board import wait_for

    with open_board(simulator.port, 2) as board:
        assert wait_for(board, 20)
        asked, said = [], []

        def say(line):
            said.append(line)
            if line.startswith("Press "):
                _, word, _, _, seat = line.split()
                contact = (int(seat) - 1, ("pass", "done").index(word))
                if line == "Press pass at seat 2":  # first the wrong one
                    simulator.hold(0, 0)
                    time.sleep(0.2)
                    simulator.release(0, 0)
                simulator.hold(*contact)
                time.sleep(0.2)
                simulator.release(*contact)

        report = walk.run(board, 2, lambda question: asked.append(question) or True, say)
        assert report.text().endswith("everything was right")
        assert len(asked) == 5
        assert "That was pass at seat 1" in said
        assert [line for line in report.lines if " button " in line] == [
            f"ok: button {word} of seat {seat}" for seat in (1, 2) for word in ("pass", "done")
        ]


def test_every_message_has_words():
    listener = words.Listener(everything=True)
    wire = b"".join(
        encode(pack(message, number))
        for number, message in enumerate(
            [
                Hello(),
                State(1, 2, (Light(3, 15), Light()), 60, 1, spans=(Span(5, 3, 1),)),
                Seen(1, 4),
                Ack(1, 3, 2, 1, 3),
            ]
        )
    )
    lines = list(listener.lines(">", wire + b"\0abc\0"))
    assert lines[1].endswith("STATE life 1: 1 amber slow; table dark; seen 2; rim 60; rim 5+3 red steady; mute")
    assert lines[3].endswith("ACK 3 presses, 2 dropped, 1 damaged frames, muted by its switch, was idle")
    assert lines[4].endswith("1 damaged")


def test_heartbeats_are_left_out_unless_asked_for():
    state = [encode(pack(State(1, 0, (Light(), Light())), number)) for number in (1, 2)]
    assert sum(len(list(one.lines(">", wire))) for one in [words.Listener()] for wire in state) == 1
    assert sum(len(list(one.lines(">", wire))) for one in [words.Listener(everything=True)] for wire in state) == 2


def test_picture_without_colour_is_plain():
    assert (
        words.picture(Lamps(red=0b101, green=0b110, buzzer=True), 3, colour=False) == "1:R  2:G  3:A   table:.   BEEP"
    )
    assert "\x1b" in words.picture(Lamps(red=1), 2, colour=True)
