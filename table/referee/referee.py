"""The referee: facts of one match in, records out. Pure and deterministic; no I/O, no clock, time is passed in.

It numbers records in file order, folds facts (`fold`, one class a kind of game), and on a correction folds again from
the start and says what became different. Facts it derived itself are recognised when they come back from a journal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from table.events import (
    Advice,
    Attention,
    Correction,
    Done,
    Fact,
    Hand,
    Judged,
    Light,
    Match,
    Passed,
    Record,
    Revealed,
    RoundStarted,
    Shown,
    TrickCollected,
    TrickDown,
    TrickUp,
    Turn,
    Verdict,
    Violation,
    numbered,
)
from table.rules.games import game_of

from .corrections import Said, added_fact, amended, check_correction, paired, same
from .fold import Fold
from .free import FreeFold
from .line import LineFold
from .trick import TrickFold

DERIVED = (RoundStarted, Shown, Passed, Done, Revealed, TrickUp, TrickDown, TrickCollected)


def fold_for(match: Match) -> Fold:
    """The fold of a match's game. Raises ValueError with a sentence for people."""
    game = game_of(match.game)
    if match.seats not in game.seats:
        span = f"{game.seats.start} to {game.seats.stop - 1}" if len(game.seats) > 1 else str(game.seats.start)
        raise ValueError(f"{game.key} is for {span} players, not {match.seats}")
    if match.table is not None and len(match.table.seats) != match.seats:
        raise ValueError(f"the table has {len(match.table.seats)} seats, the match {match.seats}")
    if game.key == "free":
        return FreeFold(match)
    if match.tile_set != game.set_name:
        raise ValueError(f"{game.key} is played with a {game.set_name} set, not {match.tile_set}")
    return TrickFold(match) if game.line is None else LineFold(match)


class Referee:
    """One match. `begin` first, then `take` every fact in time order, `tick` as time passes, `finish` at the end."""

    def __init__(self, match: Match) -> None:
        """Raises ValueError with a sentence for people: unknown game, option or value, or seats that do not fit."""
        self.match = match
        self._fold = fold_for(match)
        self._n = 0
        self._t = match.t
        self._inputs: list[Said] = []  # every input with what was said about it, in order
        self._derived: set[tuple[str, int]] = set()  # facts of the referee's own, by type and number
        self._numbers: dict[tuple[Any, ...], int] = {}  # public numbers of violations, by what they are about
        self._run = _Run()
        self._owed: list[Record] = []  # numbered, and not yet handed out because an input was refused
        self._judged: dict[int, int] = {}  # the last `judged` of a fact
        self._hands: dict[tuple[int, int], int] = {}  # the last `hand` of a round and seat
        self._statuses: dict[int, Violation] = {}  # the last status of each violation
        self._turn: int | None = None
        self._lights: dict[int | str, str] = {}

    # what the shell calls

    def begin(self) -> list[Record]:
        """The first records: match, round, turn and lights."""
        match = self._number(self.match)
        opening = Said("begin", self.match.t)
        self._inputs.append(opening)
        return [match, *self._say(self._fold.begin(), opening)]

    def take(self, fact: Fact) -> list[Record]:
        """One fact: itself, completed and numbered, then what follows. Facts derived here before give nothing."""
        if isinstance(fact, Match):
            return []
        t = max(float(fact.t), self._t)
        later = t > self._t
        # a fact of the same moment whose number leaves room for more came after its picture was complete
        earlier = self._owed_first(self._close(t, not later) if later or fact.n > self._n else [])
        self._t = t
        if isinstance(fact, Correction):
            try:
                check_correction(fact, self._inputs)
            except ValueError:
                self._owed = earlier  # what the picture before led to is told all the same
                raise
        if (fact.type, fact.n) in self._derived:
            return earlier
        if isinstance(fact, DERIVED) and fact.n >= 0:
            more = self._close(t, complete=True)
            if (fact.type, fact.n) not in self._derived:
                forced = Said("force", t, fact)
                self._inputs.append(forced)
                more += self._say(self._fold.force(fact), forced)
            return earlier + more
        if isinstance(fact, Correction):
            return earlier + self._correct(fact)
        said = Said("take", t, fact, self._n)
        self._inputs.append(said)
        # the fold sees the number the fact is going to have, so that verdicts can point at it
        records = self._fold.heed(numbered(fact, self._n, t=t))
        completed = self._number(records[0])
        assert isinstance(completed, Fact)
        said.fact = completed
        return [*earlier, completed, *self._say(records[1:], said)]

    def tick(self, t: float) -> list[Record]:
        """Time passes; all facts of the picture at t were taken."""
        self._t = max(float(t), self._t)
        self._fold.picture(self._t)
        return self._owed_first(self._close(self._t, complete=True))

    def finish(self, t: float) -> list[Record]:
        """The recording is over: what waits for stillness is counted at the last still."""
        self._t = max(float(t), self._t)
        said = Said("finish", self._t)
        self._inputs.append(said)
        return self._owed_first(self._say(self._fold.finish(self._t), said))

    def note(self, record: Attention | Advice) -> list[Record]:
        """Something about the table's own gear (camera, board), numbered among the records; it changes no state."""
        self._t = max(self._t, record.t)
        return self._owed_first([self._number(replace(record, t=self._t))])

    # the state as others may ask for it

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(self._fold.totals)

    @property
    def to_act(self) -> int | None:
        return self._fold.turn_shown()

    # saying

    def _owed_first(self, records: list[Record]) -> list[Record]:
        owed, self._owed = self._owed, []
        return owed + records

    def _close(self, t: float, complete: bool) -> list[Record]:
        records = self._fold.close(t, complete)
        if not records:
            return []
        said = Said("close" if complete else "pass", t)
        self._inputs.append(said)
        return self._say(records, said)

    def _number(self, record: Record, **changes: Any) -> Record:
        record = numbered(record, self._n, **changes)
        self._n += 1
        return record

    def _say(self, records: Iterable[Record], said: Said) -> list[Record]:
        """Number what a fold said, and remember it with its cause."""
        told = []
        for record in records:
            record = self._number(self._public_form(record, said))
            self._remember(record)
            said.said.append(record)
            said.numbers.append(record.n)
            told.append(record)
        return told

    def _public_form(self, record: Record, said: Said) -> Record:
        """Violation numbers that last through corrections; `replaces` where a verdict is said again."""
        if isinstance(record, Violation):
            return numbered(record, record.n, number=self._number_of(record, said))
        if isinstance(record, Judged):
            return numbered(record, record.n, replaces=self._judged.get(record.of))
        if isinstance(record, Hand):
            return numbered(record, record.n, replaces=self._hands.get((self._fold.round, record.seat)))
        return record

    def _number_of(self, record: Violation, said: Said) -> int:
        run = self._run
        if record.number not in run.public:
            # what only stillness shows is noticed at one picture or another
            cause = "" if record.code == "REVEAL_MISMATCH" else said.key
            about = (cause, record.code, record.seat, record.about)
            run.told[about] += 1
            run.public[record.number] = self._numbers.setdefault((*about, run.told[about]), len(self._numbers) + 1)
        return run.public[record.number]

    def _remember(self, record: Record) -> None:
        if isinstance(record, Judged):
            self._judged[record.of] = record.n
        elif isinstance(record, Hand):
            self._hands[self._fold.round, record.seat] = record.n
        elif isinstance(record, Violation):
            self._statuses[record.number] = record
        elif isinstance(record, Turn):
            self._turn = record.seat
        elif isinstance(record, Light):
            self._lights[record.seat] = record.meaning
        elif isinstance(record, Fact):
            self._derived.add((record.type, record.n))

    # corrections

    def _correct(self, fact: Correction) -> list[Record]:
        """Fold again from the start with the correction in it, and say what became different."""
        t = self._t
        correction = self._number(replace(fact, t=t))
        assert isinstance(correction, Correction)
        mine = Said("take", t, correction, correction.n)
        self._inputs.append(mine)
        told: list[Record] = [correction]
        if isinstance(correction.change, dict) and "add" in correction.change:
            # said before all else, so that its number is the one the fold knows it by
            told.append(self._take_note(self._number(added_fact(correction)), mine))
        held = amended(self._inputs)
        self._fold, self._run = fold_for(self.match), _Run()
        still_called: set[int] = set()
        last = self.match.t
        for said in held:
            records = self._again(said, last)
            last = max(last, said.t)
            records = records[1:] if said.how == "take" else records
            forms = [self._violation_again(record, said) for record in records]
            still_called |= {record.number for record in forms if isinstance(record, Violation)}
            # what an added fact leads to is kept with the correction, like the fact itself
            old = [] if said.said is mine.said else said.said
            in_force: list[Record] = [record for record in old if isinstance(record, Turn | Light)]
            for before, now in paired(old, forms):
                if now is None:
                    told += self._unsay(before, t, said)
                elif before is not None and same(before, now):
                    in_force.append(before)
                else:
                    told.append(self._take_note(self._number(self._now(now, before, t)), said))
                    in_force.append(told[-1])
            said.said[:] = in_force if said.said is not mine.said else [*said.said, *in_force]
        self._fold.close(t, complete=False)
        kept = {id(said.said) for said in held}
        for said in self._inputs:  # what an input that does not hold led to
            if id(said.said) not in kept and said is not mine:
                told += [record for before in said.said for record in self._unsay(before, t, said)]
                said.said.clear()
        gone = [v for number, v in self._statuses.items() if number not in still_called and v.status != "withdrawn"]
        for violation in gone:
            withdrawn = replace(violation, t=t, status="withdrawn", replaces=violation.n)
            told.append(self._take_note(self._number(withdrawn), mine))
        told += [self._take_note(self._number(record), mine) for record in self._catch_up(t)]
        return told

    def _again(self, said: Said, last: float) -> list[Record]:
        """What the new fold says about an input."""
        fold = self._fold
        if said.how == "begin":
            return fold.begin()
        early = fold.close(said.t, complete=False) if said.t > last else []
        if said.how == "take":
            assert said.fact is not None
            fact, *rest = fold.heed(numbered(said.fact, said.n))
            return [fact, *early, *rest]
        if said.how == "force":
            assert said.fact is not None
            return early + fold.force(said.fact)
        if said.how == "finish":
            return early + fold.finish(said.t)
        records = early + fold.close(said.t, said.how == "close")
        for fact in said.said:  # what stillness brought about then, pictures in between are not kept
            still = isinstance(fact, Revealed | TrickUp | TrickDown | TrickCollected)
            if still and not any(type(record) is type(fact) and record.seat == fact.seat for record in records):  # type: ignore[attr-defined]
                records += fold.force(fact)  # type: ignore[arg-type]
        return records

    def _violation_again(self, record: Record, said: Said) -> Record:
        if isinstance(record, Violation):
            return numbered(record, record.n, number=self._number_of(record, said))
        return record

    def _now(self, record: Record, before: Record | None, t: float) -> Record:
        if isinstance(record, Verdict):
            return replace(record, t=t, replaces=None if before is None else before.n)
        return replace(record, t=t)

    def _unsay(self, record: Record | None, t: float, said: Said) -> list[Record]:
        """What is not so any more: a judgement is open again; violations are withdrawn when all is folded."""
        if isinstance(record, Judged):
            nothing = Judged(t=t, of=record.of, legal=None, replaces=record.n)
            return [self._take_note(self._number(nothing), said)]
        return []

    def _take_note(self, record: Record, said: Said) -> Record:
        self._remember(record)
        said.numbers.append(record.n)
        return record

    def _catch_up(self, t: float) -> list[Record]:
        """Turn and lights, if they are other than told."""
        records: list[Record] = []
        seat = self._fold.turn_shown()
        if seat != self._turn and self.match.game != "free":
            records.append(Turn(t=t, seat=seat))
        lights = self._fold.lights(t)
        return records + [light for light in lights if self._lights.get(light.seat) != light.meaning]


class _Run:
    """Public numbers of the violations of one fold, from its own."""

    def __init__(self) -> None:
        self.public: dict[int, int] = {}
        self.told: Counter[tuple[Any, ...]] = Counter()
