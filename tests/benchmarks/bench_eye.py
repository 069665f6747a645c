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

from calibration.plane import TablePlane
from table import events
from table.tracking import Tracker
from vision.eye import Eye
from vision.sources.frames import Frame
from vision.training.layouts import TilePose
from vision.training.scenes import Light, random_scene, render
from vision.training.styles import random_style

TILE_MM = (48.0, 24.0, 8.0)
RATE = 30.0
SETTLED, AFTER = 120, 60  # frames before a tile is laid, and after each


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


def table_frames() -> tuple[TablePlane, list[NDArray[np.uint8]]]:
    """JPEG data of a 1280x720 camera over a chain of ten tiles, still; then one more lies there, and another one."""
    plane = TablePlane((1280, 720), (900.0, 500.0), [(90, 40), (1190, 40), (1260, 690), (20, 690)])
    chain = [TilePose(150 + 49.0 * k, 250, 0, k % 7, (k + 1) % 7, "up") for k in range(10)]
    style = random_style(np.random.default_rng(3), chinese=False, most=6)
    light = Light(direction_deg=40, shadow_mm=0.3, shadow_share=0.3, softness=0.4, contact=0.4)
    rng = np.random.default_rng(0)
    cloth = np.full((720, 1280, 3), (70, 105, 45), np.float32) + rng.normal(0, 5, (720, 1280, 1)).astype(np.float32)
    out = []
    first, second = TilePose(400, 400, 70, 6, 6, "up"), TilePose(650, 120, 20, 5, 3, "up")
    for tiles in (chain, [*chain, first], [*chain, first, second]):
        image, _, _ = render(cloth, plane, style, TILE_MM[0], tiles, light, np.random.default_rng(1))
        for _ in range(4):
            noisy = np.clip(image + rng.normal(0, 1.5, image.shape), 0, 255).astype(np.uint8)
            out.append(np.asarray(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 90])[1], np.uint8))
    return plane, out


def watched() -> None:
    """What a camera over a table costs beside decoding its frames: while nothing happens, and when a tile is laid."""
    plane, data = table_frames()
    tracker = Tracker(Eye("double-six", plane, TILE_MM), plane, TILE_MM)
    decoding, watching, laid_s = [], [], None
    # the first tile that is laid also pays for what is loaded once; the second one is measured
    for number in range(SETTLED + 2 * AFTER):
        begun = time.process_time()
        lying = 0 if number < SETTLED else 1 if number < SETTLED + AFTER else 2
        image = cv2.imdecode(data[number % 4 + 4 * lying], cv2.IMREAD_COLOR)
        decoded = time.process_time()
        facts = tracker.observe(Frame(number / RATE, np.asarray(image, np.uint8)))
        decoding.append(decoded - begun)
        watching.append(time.process_time() - decoded)
        if lying == 2 and laid_s is None and any(isinstance(f, events.Placed) for f in facts):
            laid_s = sum(watching[SETTLED + AFTER :])
    decode = float(np.median(decoding))
    settled = 1 + float(np.mean(watching[SETTLED // 2 : SETTLED])) / decode
    print(f"decoding a 1280x720 frame: {decode * 1000:.1f} ms; a settled frame: {settled:.2f} times that")
    if laid_s is None:
        print("one changed tile: it was never reported")
    else:
        print(f"one changed tile, all until it is reported: {laid_s * 1000:.0f} ms, {1 + laid_s / decode:.1f} times")


def main() -> None:
    if "--memory" in sys.argv:
        picture = np.asarray(cv2.resize(drawn_table((1000, 750), 75), (4000, 3000)), np.uint8)
        Eye("auto").look(picture)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        return
    cv2.setNumThreads(1)
    begun = time.process_time()
    first = drawn_table((1280, 720), 60)
    Eye("auto").look(first)
    print(f"start-up with the first picture: {time.process_time() - begun:.2f} s")
    watched()
    photo = np.asarray(cv2.resize(drawn_table((800, 600), 60), (1600, 1200)), np.uint8)
    eye = Eye("auto")
    one, two = (_on(threads, lambda: eye.look(photo)) for threads in (1, 2))
    print(f"a 1600x1200 photo: {one:.2f} s on one thread, {two:.2f} s on two ({two / one:.2f})")
    done = subprocess.run([sys.executable, __file__, "--memory"], capture_output=True, text=True, check=True)
    print(f"peak memory for a 12-megapixel photo: {done.stdout.strip()} MB")


def _on(threads: int, act: Callable[[], object]) -> float:
    cv2.setNumThreads(threads)
    return best_s(act, 3)


if __name__ == "__main__":
    main()
