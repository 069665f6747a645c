"""Times of the eye, as ratios within one run; prints, asserts nothing. Scenes are drawn, no file is needed.

    python tests/benchmarks/bench_eye.py
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.eye import Eye
from vision.training.scenes import random_scene


def best_s(act: Callable[[], object], times: int = 5) -> float:
    """Least wall time of a few runs: what the work costs when nothing disturbs it."""
    spent = []
    for _ in range(times):
        begun = time.perf_counter()
        act()
        spent.append(time.perf_counter() - begun)
    return min(spent)


def drawn_table(size: tuple[int, int], tile_px: float) -> NDArray[np.uint8]:
    """A picture of about 28 tiles."""
    seed = 0
    while True:
        scene = random_scene(np.random.default_rng(seed), max(size), tile_px)
        seed += 1
        if 20 <= sum(t.visible > 0.9 for t in scene.tiles) <= 32:
            return np.ascontiguousarray(scene.image_bgr[: size[1], : size[0]])


def main() -> None:
    if "--memory" in sys.argv:
        picture = cv2.resize(drawn_table((1000, 750), 75), (4000, 3000))
        Eye("auto").look(picture)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        return
    begun = time.perf_counter()
    eye = Eye("auto")
    small = drawn_table((1280, 720), 60)
    eye.look(small)
    print(f"start-up with the first picture: {time.perf_counter() - begun:.2f} s")
    data = cv2.imencode(".jpg", small)[1]
    decode = best_s(lambda: cv2.imdecode(data, cv2.IMREAD_COLOR), 20)
    print(f"decoding a 1280x720 frame: {decode * 1000:.1f} ms")
    changed = best_s(lambda: eye.look(small[200:380, 400:580]))
    print(f"looking at one changed tile: {changed * 1000:.0f} ms, {changed / decode:.1f} times decoding")
    photo = cv2.resize(drawn_table((800, 600), 60), (1600, 1200))
    for threads in (1, 2):
        cv2.setNumThreads(threads)
        print(f"a 1600x1200 photo on {threads} thread(s): {best_s(lambda: eye.look(photo), 3):.2f} s")
    done = subprocess.run([sys.executable, __file__, "--memory"], capture_output=True, text=True, check=True)
    print(f"peak memory for a 12-megapixel photo: {done.stdout.strip()} MB")


if __name__ == "__main__":
    main()
