#!/usr/bin/env python3
"""Mutation testing: change one thing in the code, see whether the tests notice.

    python tests/benchmarks/mutants.py table/rules --tests tests/rules --then tests/referee [--sample 300] [--seed 1]

A seeded sample of small changes (a comparison, a sign, a number, a truth value, a condition turned round) is tried one
at a time. `--tests` are tried first, those beside the file before the others, and `--then` on what they leave. Printed:
the share that some test noticed, and each change that none did, with its reason where `survivors.txt` beside this file
has one.

Tests are collected once. A change inside a function is put into that function in a child process that runs the tests
that reach it, what noticed a change of the same file before first; any other change is tried on a copy of the working
tree, read anew.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import functools
import gc
import importlib
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, FunctionType

import hypothesis  # noqa: F401  # imported here once, not in every child
import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).parents[2]
LIMIT_CPU_S, LIMIT_S = 15, 3600.0  # what runs on is noticed too; by processor time, for the machine may be busy
EXPLAINED = Path(__file__).with_name("survivors.txt")
QUIETLY = ("-x", "-q", "--assert=plain", "-p", "no:cacheprovider")

COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """The node with one thing changed, once for each thing that can be."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARE:
        other = copy.deepcopy(node)
        other.ops[0] = COMPARE[type(node.ops[0])]()
        yield other
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not isinstance(node.left, ast.JoinedStr):
        other_op = copy.deepcopy(node)
        other_op.op = ARITHMETIC[type(node.op)]()
        yield other_op
    elif isinstance(node, ast.BoolOp):
        turned = copy.deepcopy(node)
        turned.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield turned
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.If | ast.While):
        turned_if = copy.deepcopy(node)
        turned_if.test = ast.UnaryOp(ast.Not(), node.test)
        yield turned_if


class Replace(ast.NodeTransformer):
    """Puts another node in the place of one."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def left_alone(tree: ast.Module) -> set[int]:
    """Annotations and decorators, which are left alone: only behaviour is changed."""
    hidden: set[int] = set()
    for node in ast.walk(tree):
        for decorator in getattr(node, "decorator_list", []):
            hidden |= {id(inner) for inner in ast.walk(decorator)}
        for name in ("annotation", "returns"):
            part = getattr(node, name, None)
            if isinstance(part, ast.AST):
                hidden |= {id(inner) for inner in ast.walk(part)}
    return hidden


@dataclass
class Mutant:
    """One change. `within` names the function around it, outermost first; empty at the level of module or class."""

    file: Path
    line: int
    change: str
    within: tuple[str, ...]
    source: Callable[[], str]

    @property
    def named(self) -> Path:
        return self.file.resolve().relative_to(ROOT)

    def __str__(self) -> str:
        return f"{self.named}: {self.change}"


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file."""
    text = path.read_text(encoding="utf-8")
    tree, lines = ast.parse(text), text.splitlines()
    hidden = left_alone(tree)
    for node, within in walk(tree):
        if id(node) in hidden or not hasattr(node, "lineno"):
            continue
        for changed in changes(node):
            before, after = ast.unparse(node).splitlines()[0], ast.unparse(changed).splitlines()[0]
            source = functools.partial(_source, tree, node, changed)
            yield Mutant(
                path, node.lineno, f"{before}  ->  {after}  in  {lines[node.lineno - 1].strip()}", within, source
            )


def walk(
    node: ast.AST, path: tuple[str, ...] = (), function: tuple[str, ...] = ()
) -> Iterator[tuple[ast.AST, tuple[str, ...]]]:
    """Every node below one, with the path to the outermost function that it is in the body of."""
    for child in ast.iter_child_nodes(node):
        yield child, function
        if isinstance(child, ast.FunctionDef):
            inner = function or (*path, child.name)
            for part in ast.iter_child_nodes(child):  # defaults belong to where the function is defined
                inside = inner if part in child.body else function
                yield part, inside
                yield from walk(part, (*path, child.name), inside)
        elif isinstance(child, ast.ClassDef):
            yield from walk(child, (*path, child.name), function)
        else:
            yield from walk(child, path, function)


def _source(tree: ast.Module, node: ast.AST, changed: ast.AST) -> str:
    whole = Replace(node, ast.fix_missing_locations(ast.copy_location(changed, node))).visit(tree)
    source = ast.unparse(whole)
    Replace(changed, node).visit(tree)
    return source


# putting a change in place


def place_of(mutant: Mutant) -> tuple[FunctionType, CodeType] | None:
    """The living function that a change is in, and the code it would have; None where it cannot be found."""
    module = importlib.import_module(".".join(mutant.named.with_suffix("").parts).removesuffix(".__init__"))
    code: CodeType = compile(mutant.source(), module.__file__ or "", "exec")
    living: object = module
    for name in mutant.within:
        inner = [c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name]
        if len(inner) != 1 or name not in vars(living):
            return None
        code, living = inner[0], vars(living)[name]
    function = living.fget if isinstance(living, property) else living
    while not isinstance(function, FunctionType):
        function = getattr(function, "__func__", None) or getattr(function, "__wrapped__", None)
        if function is None:
            return None
    return (function, code) if len(function.__code__.co_freevars) == len(code.co_freevars) else None


def forget() -> None:
    """Empty every cache of results."""
    for kept in gc.get_objects():
        if isinstance(kept, functools._lru_cache_wrapper):
            kept.cache_clear()


def in_child(work: Callable[[], bool]) -> bool:
    """Whether some work in a child process comes out true; it has bounded time and nothing it prints is seen."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_CPU_S, LIMIT_CPU_S))
        try:
            os._exit(0 if work() else 1)
        finally:
            os._exit(2)
    until = time.monotonic() + LIMIT_S
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def passes_anew(folder: str, tests: Sequence[str]) -> bool:
    """Whether the tests pass on the copy in `folder`, all of which is imported anew."""

    def work() -> bool:
        os.chdir(folder)
        sys.path.insert(0, folder)
        sys.dont_write_bytecode = True
        return int(pytest.main([*QUIETLY, *tests])) == 0

    return in_child(work)


class Trial:
    """Runs collected tests on mutants, each in a child, instead of running them once."""

    def __init__(self, chosen: Sequence[Mutant], tests: Sequence[str], then: Sequence[str]) -> None:
        self.chosen, self.tests, self.then = chosen, tests, then
        self.left: list[Mutant] = []  # what no test noticed
        self.elsewhere: list[Mutant] = []  # what could not be put in
        self.reached: dict[CodeType, set[pytest.Item]] = defaultdict(set)
        self.noticed: dict[Path, Counter[str]] = defaultdict(Counter)
        self.pipe = os.pipe()
        os.set_blocking(self.pipe[0], False)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        stages = [self._below(session, self.tests), self._below(session, self.then)]
        for items in stages:
            seconds = {}
            for item in items:
                forget()  # what is remembered from another test would not be reached
                began = time.process_time()
                with self._watching(item):
                    passed = self._pass([item])
                if not passed:
                    pytest.exit(f"{item.nodeid} fails without any change", returncode=1)
                seconds[item] = time.process_time() - began
            items.sort(key=seconds.__getitem__)  # what is quick is tried first
        forget()
        for number, mutant in enumerate(self.chosen, start=1):
            place = place_of(mutant)
            if place is None:
                self.elsewhere.append(mutant)
            elif in_child(lambda mutant=mutant, place=place: self._survives(stages, mutant, *place)):  # type: ignore[misc]
                self.left.append(mutant)
                os.write(2, f"left: {mutant}\n".encode())
            self._take_note(mutant)
            if number % 25 == 0:
                os.write(2, f"{number} of {len(self.chosen)} changes in functions tried\n".encode())
        return True

    @contextlib.contextmanager
    def _watching(self, item: pytest.Item) -> Iterator[None]:
        """Take down which functions a test reaches."""

        def called(frame: FrameType, event: str, _: object) -> None:
            if event == "call":
                self.reached[frame.f_code].add(item)

        sys.setprofile(called)
        try:
            yield
        finally:
            sys.setprofile(None)

    @staticmethod
    def _below(session: pytest.Session, places: Sequence[str]) -> list[pytest.Item]:
        wanted = [(ROOT / place).resolve() for place in places]
        return [item for item in session.items if any(item.path.is_relative_to(place) for place in wanted)]

    def _survives(
        self, stages: Sequence[list[pytest.Item]], mutant: Mutant, function: FunctionType, code: CodeType
    ) -> bool:
        reached = self.reached[function.__code__]
        function.__code__ = code
        near, noticed = ROOT / "tests" / mutant.named.parent.relative_to("table"), self.noticed[mutant.file]
        for items in stages:
            of_use = [item for item in items if item in reached]
            of_use.sort(key=lambda item: (-noticed[item.nodeid], item.path.parent != near))
            for item in of_use:
                if not self._pass([item]):
                    os.write(self.pipe[1], item.nodeid.encode())
                    return False
        return True

    def _take_note(self, mutant: Mutant) -> None:
        """Which test noticed a change, if one said so before its child came to an end."""
        with contextlib.suppress(BlockingIOError):
            self.noticed[mutant.file][os.read(self.pipe[0], 10_000).decode()] += 1

    @staticmethod
    def _pass(items: Sequence[pytest.Item]) -> bool:
        return not any(report.failed for item in items for report in runtestprotocol(item, nextitem=None, log=False))


def explained() -> dict[str, str]:
    """Changes that no test can or need notice, each with the reason: `file: change | why`, without line numbers."""
    lines = EXPLAINED.read_text(encoding="utf-8").splitlines() if EXPLAINED.exists() else []
    parts = [line.partition(" | ") for line in lines if " | " in line and not line.startswith("#")]
    return {change.strip(): why.strip() for change, _, why in parts}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("code", type=Path, nargs="+", help="files or folders to change")
    parser.add_argument("--tests", nargs="+", required=True)
    parser.add_argument("--then", nargs="+", default=[], help="tests for what the first leave")
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="", help="START:END of the sample's changes in functions, or `outside` them")
    options = parser.parse_args()
    files = sorted(f for code in options.code for f in ([code] if code.is_file() else code.rglob("*.py")))
    every = [mutant for file in files for mutant in mutants(file)]
    chosen = random.Random(options.seed).sample(every, min(options.sample, len(every)))
    sys.path.insert(0, str(ROOT))
    trial = Trial([mutant for mutant in chosen if mutant.within], options.tests, options.then)
    outside = [mutant for mutant in chosen if not mutant.within]
    if options.part == "outside":
        trial.chosen = []
    elif options.part:
        start, _, end = options.part.partition(":")
        trial.chosen, outside = trial.chosen[int(start) : int(end)], []
    # first what needs the code imported anew, for that has to be forked before it is imported here
    survivors = anew(outside, options.tests, options.then)
    if pytest.main([*QUIETLY, *options.tests, *options.then], plugins=[trial]):
        sys.exit(1)
    survivors += trial.left
    reasons = explained()
    for mutant in survivors:
        why = reasons.get(str(mutant))
        print(f"{mutant.named}:{mutant.line}: {mutant.change}" + (f" | {why}" if why else ""))
    known = sum(str(mutant) in reasons for mutant in survivors)
    tried = len(trial.chosen) + len(outside) - len(trial.elsewhere)
    print(f"{tried - len(survivors)} of {tried} changes noticed ({len(every)} possible); ", end="")
    print(f"{len(survivors)} not, {known} of them explained; {len(trial.elsewhere)} could not be put in")


def anew(chosen: Sequence[Mutant], tests: Sequence[str], then: Sequence[str]) -> list[Mutant]:
    """The changes that no test notices, each tried on a copy of the working tree."""
    left = []
    with tempfile.TemporaryDirectory() as folder:
        copy_root = Path(folder)
        for name in ("table", "tests", "docs", "pyproject.toml"):
            part = ROOT / name
            (shutil.copytree if part.is_dir() else shutil.copy)(part, copy_root / name)
        for mutant in chosen:
            target = copy_root / mutant.named
            whole = target.read_text(encoding="utf-8")
            target.write_text(mutant.source(), encoding="utf-8")
            near = mutant.named.parent.as_posix().replace("table", "tests", 1)
            order = sorted(tests, key=lambda place: place != near)
            if passes_anew(folder, order) and (not then or passes_anew(folder, then)):
                left.append(mutant)
                os.write(2, f"left: {mutant}\n".encode())
            target.write_text(whole, encoding="utf-8")
    return left


if __name__ == "__main__":
    main()
