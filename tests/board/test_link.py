"""The board as the game uses it, over a pseudo-terminal and a socket: found, lost, back, and never in the way."""

import time

import pytest

from table.board import board as board_module
from table.board import open_board, simulator_available
from table.board.link import Link
from table.board.messages import Light, State
from table.board.ports import Candidate, PortFault, explain, holder, meddlers, open_port
from table.board.protocol import Colour
from table.board.session import Lost, Pressed, Up
from table.board.simulator import Simulator, build, cache_folder


@pytest.fixture
def link():
    links = []

    def make(*arguments, **more):
        links.append(Link(*arguments, **more))
        return links[-1]

    yield make
    for one in links:
        one.close()


def red(count=2):
    return State(0, 0, (Light(Colour.RED, 255),) + (Light(),) * count)


def test_none_is_a_board_that_does_nothing():
    with open_board("none", 4) as board:
        board.show([{"seat": 0, "meaning": "turn"}])
        assert (board.up, board.state, board.presses(1.0), board.events()) == (False, "no board", [], [])


def test_sim_shows_lights_and_reports_presses(needs_simulator, wait):
    start = time.monotonic()
    with open_board("sim", 4, second_button="challenge") as board:
        assert time.monotonic() - start < 2  # the first build takes longer than this and is not waited for
        board.show([{"seat": 1, "meaning": "turn"}, {"seat": "table", "meaning": "turn", "colour": "green"}])
        assert wait(lambda: board.lamps is not None and board.lamps.green == 0b1_0000_0010)
        for seat, button in ((3, 0), (2, 1)):
            board.simulator.hold(seat, button)
            presses = []
            assert wait(lambda presses=presses: presses.extend(board.presses(100.0)) or bool(presses))
            [press] = presses
            assert (press.seat, press.button) == (seat, ("pass", "challenge")[button])
            assert 80 < press.t <= 100
        assert board.events() == []
        assert "8 seats" in board.state


def test_a_socket_works_where_there_is_no_pseudo_terminal(needs_simulator, link, wait):
    simulator = Simulator(use_socket=True)
    try:
        assert simulator.port.startswith("socket://127.0.0.1:")
        one = link(lambda: (simulator.port,))
        one.show(red())
        assert wait(lambda: simulator.lamps.red == 1)
        one.close()
        assert wait(lambda: simulator.lamps.red & 255 == 0)  # idle by itself
        two = link(lambda: (simulator.port,))
        two.show(red())
        assert wait(lambda: simulator.lamps.red == 1)
    finally:
        simulator.close()


def test_pulled_and_plugged_in_the_middle_of_a_game(simulator, link, wait):
    one = link(lambda: (simulator.port,))
    one.show(red())
    assert wait(lambda: simulator.lamps.red == 1)
    happenings = one.take()
    for turn in range(3):
        simulator.pull()
        assert wait(lambda: one.info is None)
        simulator.hold(turn, 0)
        time.sleep(0.1)
        one.show(State(0, 0, (Light(), Light(Colour.GREEN, 255), Light())) if turn % 2 == 0 else red())
        simulator.plug()
        assert wait(lambda turn=turn: simulator.lamps.green & 2 == (2 if turn % 2 == 0 else 0) and one.info is not None)
    wait(lambda: happenings.extend(one.take()) or len([h for h in happenings if isinstance(h, Pressed)]) == 3)
    assert [h.seat for h in happenings if isinstance(h, Pressed)] == [0, 1, 2]
    assert not [h for h in happenings if isinstance(h, Lost)]


def test_a_board_that_lost_its_memory_gets_the_lights_and_says_what_is_lost(simulator, wait, link):
    one = link(lambda: (simulator.port,))
    one.show(red())
    assert wait(lambda: simulator.lamps.red == 1)
    one.take()
    simulator.reset()
    happenings = []
    assert wait(lambda: happenings.extend(one.take()) or any(isinstance(h, Up) for h in happenings))
    assert wait(lambda: simulator.lamps.red == 1)
    lost = [h for h in happenings if isinstance(h, Lost)]
    assert [(h.count, h.reason) for h in lost] == [(None, "the board restarted")]


def test_the_game_is_told_and_never_waits(simulator, wait):
    with open_board(simulator.port, 2) as board:
        board.show([{"seat": 0, "meaning": "illegal"}])
        assert wait(lambda: board.up)
        simulator.close()
        events = []
        assert wait(lambda: events.extend(board.events()) or bool(events))
        assert events[0].code == "BOARD_LOST"
        assert "goes on without it" in events[0].message
        start = time.monotonic()
        for turn in range(500):
            board.show([{"seat": turn % 2, "meaning": "turn"}])
            board.presses(float(turn))
            board.events()
        assert time.monotonic() - start < 5


def test_a_port_that_is_not_there_is_said_once(wait, tmp_path):
    with open_board(str(tmp_path / "ttyUSB7"), 2) as board:
        events = []
        assert wait(lambda: events.extend(board.events()) or bool(events))
        time.sleep(0.5)
        events += board.events()
        assert [event.code for event in events] == ["BOARD_LOST"]
        assert "no such port" in events[0].message
        assert "dominoref board list" in board.state


def test_auto_takes_the_port_that_answers_not_the_first(simulator, wait, monkeypatch, tmp_path):
    import os

    main, other = os.openpty()  # a device that never answers: it must be left again
    silent = os.ttyname(other)
    monkeypatch.setattr(
        board_module,
        "candidates",
        lambda: [Candidate(silent, "CH340 bridge", "", "1"), Candidate(simulator.port, "Arduino", "", "2")],
    )
    with open_board("auto", 2) as board:
        assert wait(lambda: board.up, 30)
        assert board.link.port_name == simulator.port
    os.close(main)
    os.close(other)


def test_auto_without_any_board_is_quiet(monkeypatch, wait):
    monkeypatch.setattr(board_module, "candidates", list)
    with open_board("auto", 2) as board:
        assert wait(lambda: board.state.startswith("no board found"))
        assert board.events() == []


def test_a_port_in_use_is_refused_with_its_holder(simulator):
    first = open_port(simulator.port)
    try:
        with pytest.raises(PortFault, match="in use by") as caught:
            open_port(simulator.port)
        assert caught.value.kind == "busy"
        assert holder("/dev/null/none") is None
    finally:
        first.close()


def test_faults_in_words(tmp_path):
    denied = explain(str(tmp_path), PermissionError(13, "Permission denied"))
    assert denied.kind == "permission"
    assert "usermod -aG" in str(denied)
    assert "log out and in" in str(denied)
    assert explain("/dev/ttyX", FileNotFoundError(2, "no")).kind == "missing"
    assert explain("/dev/ttyX", ValueError("odd")).kind == "other"
    with pytest.raises(PortFault):
        open_port("nonsense://x")
    for name in ("/dev/null", str(tmp_path)):
        with pytest.raises(PortFault, match=r"is no serial port; `dominoref board list`"):
            open_port(name)


def test_services_that_take_ports_are_named(tmp_path):
    for number, name in (("12", "ModemManager"), ("13", "bash"), ("x", "brltty")):
        (tmp_path / number).mkdir()
        (tmp_path / number / "comm").write_text(name + "\n")
    [line] = meddlers(tmp_path)
    assert "ModemManager" in line
    assert "systemctl" in line


def test_the_simulator_is_built_once_into_the_users_cache(needs_simulator, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    program = build()
    assert program.parent == cache_folder() == tmp_path / "dominoref" / "board"
    before = program.stat().st_mtime_ns
    assert build() == program
    assert program.stat().st_mtime_ns == before


def test_no_compiler_is_said_in_one_line(monkeypatch):
    monkeypatch.setattr("table.board.simulator.compiler", lambda: None)
    reason = simulator_available()
    assert reason is not None
    assert "C compiler" in reason
    assert "\n" not in reason


def test_no_compiler_leaves_the_game_running(monkeypatch, wait):
    monkeypatch.setattr("table.board.simulator.compiler", lambda: None)
    with open_board("sim", 2) as board:
        events = []
        assert wait(lambda: events.extend(board.events()) or bool(events))
        assert "C compiler" in events[0].message
        board.show([{"seat": 0, "meaning": "turn"}])
