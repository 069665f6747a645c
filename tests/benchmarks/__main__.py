"""`make bench`: every benchmark of this folder, or those named: python -m tests.benchmarks rules replay.

Each is a module `bench_NAME` whose `main()` prints its figures. Speeds are ratios within one run, so that they mean the
same on a slow and on a busy machine; nothing here passes or fails.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def main() -> None:
    found = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    wanted = sys.argv[1:] or found
    unknown = sorted(set(wanted) - set(found))
    if unknown:
        sys.exit(f"no benchmark {', '.join(unknown)}; there are {', '.join(found)}")
    for name in wanted:
        print(f"== {name}", flush=True)
        sys.argv = [f"bench_{name}"]
        importlib.import_module(f"tests.benchmarks.bench_{name}").main()


if __name__ == "__main__":
    main()
