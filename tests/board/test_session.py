"""The rules of the conversation, against a board made of a few lines, in virtual time."""

from hypothesis import given, settings
from hypothesis import strategies as st

from table.board.frames import Decoder, Frame, encode
from table.board.messages import Ack, Events, Hello, Info, Light, PressAge, Refused, Seen, State, pack, unpack
from table.board.protocol import QUIET_MS, Colour
from table.board.session import Down, Lost, Pressed, Session, Shown, Up, WrongVersion

INFO = Info(0x4F44, 1, 0, 1, 0, 0, 7, 1, 4, 2, 0, 1, 500, 0, 0)
RED = State(0, 0, (Light(Colour.RED, 255),) + (Light(),) * 4)


def sent(data):
    return [(frame.sequence, unpack(frame)) for frame in Decoder().feed(data)]


def give(session, message, now, sequence=0):
    session.receive(encode(pack(message, sequence)), now)


def greeted(now=0.0, info=INFO):
    session = Session()
    session.opened(now)
    [(_, hello)] = sent(session.poll(now))
    assert hello == Hello()
    give(session, info, now)
    assert session.take() == [Up(info, False)]
    return session


def test_hello_is_repeated_until_info_and_then_state_follows():
    session = Session()
    session.opened(0.0)
    hellos = sum(bool(session.poll(ms / 1000)) for ms in range(1000))
    assert hellos == 5
    give(session, INFO, 1.0)
    [(_, state)] = sent(session.poll(1.0))
    assert isinstance(state, State)
    assert state.session == 500


def test_one_at_a_time_and_again_without_an_ack():
    session = greeted()
    session.want(RED)
    [(first, state)] = sent(session.poll(0.0))
    assert state.lights == RED.lights
    assert all(not session.poll(ms / 1000) for ms in range(100))
    [(second, again)] = sent(session.poll(0.1))
    assert (again, first == second) == (state, False)
    give(session, Ack(500, 0, 0, 0, 0), 0.103, first)  # the late answer to the first try says the same
    assert [happening.revision for happening in session.take() if isinstance(happening, Shown)] == [1]
    assert not session.poll(0.3)
    assert isinstance(sent(session.poll(0.351))[0][1], State)  # heartbeat


def test_an_ack_of_an_older_state_is_not_taken_for_the_new_one():
    session = greeted()
    session.want(RED)
    [(old, _)] = sent(session.poll(0.0))
    session.want(State(0, 0, (Light(),) * 5))
    [(new, state)] = sent(session.poll(0.1))
    assert state.lights[0] == Light()
    give(session, Ack(500, 0, 0, 0, 0), 0.15, old)
    assert session.take() == []
    give(session, Ack(500, 0, 0, 0, 0), 0.16, new)
    assert [type(happening) for happening in session.take()] == [Shown]


def test_nothing_is_sent_while_the_board_may_be_painting():
    session = greeted()
    session.want(RED)
    session.poll(0.0)
    give(session, Events(500, 1, (PressAge(0, 0, 1),)), 0.005)
    assert all(not session.poll(ms / 1000) for ms in range(5, QUIET_MS))
    assert sent(session.poll(QUIET_MS / 1000))[0][1] == Seen(500, 1)


def test_each_press_once_and_in_order_whatever_is_repeated():
    session = greeted()
    three = tuple(PressAge(seat, 0, 40) for seat in range(3))
    for events in (Events(500, 1, three[:1]), Events(500, 1, three), Events(500, 2, three[1:]), Events(500, 1, three)):
        give(session, events, 1.0)
    happenings = session.take()
    assert [(p.number, p.seat, round(p.at, 3)) for p in happenings] == [(1, 0, 0.96), (2, 1, 0.96), (3, 2, 0.96)]


def test_numbers_wrap_and_gaps_are_reported():
    session = greeted(info=INFO)
    session._seen = 65534
    give(session, Events(500, 65535, (PressAge(0, 0, 0), PressAge(1, 0, 0))), 1.0)
    give(session, Events(500, 3, (PressAge(2, 0, 0),)), 1.0)
    assert session.take() == [
        Pressed(0, 0, 1.0, 65535),
        Pressed(1, 0, 1.0, 0),
        Lost(2, "the board skipped their numbers"),
        Pressed(2, 0, 1.0, 3),
    ]


def test_another_life_is_greeted_anew_and_loss_is_said():
    session = greeted()
    give(session, Ack(501, 0, 0, 0, 0), 1.0)
    assert sent(session.poll(1.0))[0][1] == Hello()
    again = Info(**{**{name: getattr(INFO, name) for name in INFO.__slots__}, "session": 501, "reset_cause": 3})
    give(session, again, 1.1)
    assert session.take() == [Lost(None, "the board's supply broke down"), Up(again, True)]
    give(session, Events(501, 1, (PressAge(0, 0, 0),)), 1.2)
    assert [type(happening) for happening in session.take()] == [Pressed]


def test_dropped_presses_are_said_once():
    session = greeted()
    for _ in range(3):
        give(session, Ack(500, 16, 4, 0, 0), 1.0)
    assert session.take() == [Lost(4, "pressed faster than the board could report")]


def test_silence_is_said_once_and_the_end_of_it():
    session = greeted()
    for ms in range(0, 6000, 10):
        session.poll(ms / 1000)
    assert session.take() == [Down("the board stopped answering")]
    give(session, Ack(500, 0, 0, 0, 0), 6.0)
    assert [type(happening) for happening in session.take()] == [Up]
    quiet = Session()
    quiet.opened(0.0)
    for ms in range(0, 9000, 10):
        quiet.poll(ms / 1000)
    assert quiet.take() == [Down("no board answers")]


def test_another_version_is_said_once_and_told_nothing():
    session = Session()
    session.opened(0.0)
    for turn in range(3):
        session.receive(encode(Frame(0x81, 1, bytes.fromhex("444f0201"))), turn * 1.0)
    [wrong] = session.take()
    assert isinstance(wrong, WrongVersion)
    assert (wrong.info.major, wrong.info.minor) == (2, 1)
    assert {type(message) for ms in range(3000, 5000) for _, message in sent(session.poll(ms / 1000))} == {Hello}


def test_a_small_board_is_told_no_more_than_it_has():
    small = Info(**{**{name: getattr(INFO, name) for name in INFO.__slots__}, "seats": 2})
    session = greeted(info=small)
    session.want(State(0, 0, (Light(1, 1), Light(2, 2), Light(3, 3), Light(4, 4), Light(5, 5)), rim=60))
    [(_, state)] = sent(session.poll(0.0))
    assert state.lights == (Light(1, 1), Light(2, 2), Light(5, 5))
    assert state.rim == 0


def test_a_refusal_is_no_reason_to_hammer():
    session = greeted()
    session.want(RED)
    [(sequence, _)] = sent(session.poll(0.0))
    give(session, Refused(500, 3), 0.01, sequence)
    count = sum(bool(session.poll(ms / 1000)) for ms in range(10, 1010))
    assert count <= 12


@settings(max_examples=200)
@given(st.lists(st.tuples(st.integers(0, 255), st.integers(0, 255), st.binary(max_size=48)), max_size=12))
def test_nothing_that_a_board_may_say_breaks_the_session(frames):
    session = greeted()
    now = 0.0
    for kind, sequence, payload in frames:
        now += 0.05
        session.receive(encode(Frame(kind if kind % 3 else 0x81 + kind % 4, sequence, payload)), now)
        session.poll(now)
        assert session.next_time() <= now + 0.3 or not session.up
        session.take()
