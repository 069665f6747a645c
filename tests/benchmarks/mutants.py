#!/usr/bin/env python3
"""Mutation testing: change one thing in the code, see whether the tests notice.

    python tests/benchmarks/mutants.py table/rules --tests tests/rules --then tests/referee [--sample 300] [--seed 1]

A seeded sample of small changes (a comparison, a sign, a number, a truth value, a condition turned round) is tried one
at a time in a copy of the working tree. `--tests` are tried first, `--then` on what they leave. Printed: the share that
some test noticed, and each change that none did, with its reason where `survivors.txt` beside this file has one.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import hypothesis  # noqa: F401  # imported here once, not in every child
import pytest

ROOT = Path(__file__).parents[2]
LIMIT_CPU_S, LIMIT_S = (
    60,
    3600.0,
)  # a mutant that runs on is noticed too; by processor time, for the machine may be busy
EXPLAINED = Path(__file__).with_name("survivors.txt")

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


def mutants(path: Path) -> Iterator[tuple[int, str, str]]:
    """Every mutant of a file: the line, what was changed, and the whole changed source."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    hidden = left_alone(tree)
    for node in ast.walk(tree):
        if id(node) in hidden or not hasattr(node, "lineno"):
            continue
        for changed in changes(node):
            whole = Replace(node, ast.fix_missing_locations(ast.copy_location(changed, node))).visit(tree)
            source = ast.unparse(whole)
            Replace(changed, node).visit(tree)
            before, after = ast.unparse(node).splitlines()[0], ast.unparse(changed).splitlines()[0]
            yield node.lineno, f"{before}  ->  {after}", source


def passes(folder: str, tests: Sequence[str]) -> bool:
    """Whether the tests pass on the copy in `folder`.

    A child that has pytest and its plugins from here already runs them, so that only what is tested is imported anew.
    """
    child = os.fork()
    if child == 0:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        os.chdir(folder)
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_CPU_S, LIMIT_CPU_S))
        sys.path.insert(0, folder)
        sys.dont_write_bytecode = True
        os._exit(int(pytest.main(["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", *tests])))
    until = time.monotonic() + LIMIT_S
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def explained() -> dict[str, str]:
    """Changes that no test can or need notice, each with the reason: `file: change | why`, lines without a number."""
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
    options = parser.parse_args()
    files = sorted(f for code in options.code for f in ([code] if code.is_file() else code.rglob("*.py")))
    every = [(file, *mutant) for file in files for mutant in mutants(file)]
    chosen = random.Random(options.seed).sample(every, min(options.sample, len(every)))
    with tempfile.TemporaryDirectory() as folder:
        copy_root = Path(folder)
        for name in ("table", "tests", "docs", "pyproject.toml"):
            part = ROOT / name
            (shutil.copytree if part.is_dir() else shutil.copy)(part, copy_root / name)
        if not passes(folder, options.tests):
            sys.exit("the tests fail without any change")
        if options.then and not passes(folder, options.then):
            sys.exit("the tests that come then fail without any change")
        survivors = known = 0
        reasons = explained()
        for number, (file, line, change, source) in enumerate(chosen, start=1):
            named = file.resolve().relative_to(ROOT)
            target = copy_root / named
            whole = target.read_text(encoding="utf-8")
            target.write_text(source, encoding="utf-8")
            near = named.parent.as_posix().replace("table", "tests", 1)  # the tests beside a file are the likeliest
            if passes(folder, sorted(options.tests, key=lambda tests: tests != near)) and (
                not options.then or passes(folder, options.then)
            ):
                survivors += 1
                why = reasons.get(f"{named}: {change}")
                known += why is not None
                print(f"{named}:{line}: {change}" + (f" | {why}" if why else ""), flush=True)
            target.write_text(whole, encoding="utf-8")
            if number % 25 == 0:
                print(f"{number} of {len(chosen)} tried", file=sys.stderr, flush=True)
    print(f"{len(chosen) - survivors} of {len(chosen)} changes noticed ({len(every)} possible); ", end="")
    print(f"{survivors} not, {known} of them explained")


if __name__ == "__main__":
    main()
