"""How time grows with tokens, batch and workers: measured, and drawn as an SVG."""

from __future__ import annotations

import math
import os
import statistics
from dataclasses import dataclass
from html import escape
from pathlib import Path

from contestant import Contestant
from http_load import closed_loop, make_request
from served_process import ServedProcess
from texts import LENGTHS, Texts

BATCHES = (1, 2, 4, 8, 16, 32)
BATCH_LENGTH = 16
ROUNDS = 3
SECONDS = 4.0
LIST = 8
CLIENTS_OF_A_WORKER = 4

WIDTH, HEIGHT, MARGIN, GAP = 250, 180, 46, 24
INK, LINE, GRID = "#333", "#1f6feb", "#ddd"


@dataclass(frozen=True)
class Curve:
    title: str
    x_title: str
    points: list[tuple[float, float]]


def measure_growth(engine: Contestant, command: list[str | Path], texts: Texts, work: Path) -> list[Curve]:
    """`command` starts our server, with {port} and {workers}."""

    def milliseconds(task: str) -> float:
        return 1e3 * statistics.median(engine.ask(task) for _ in range(ROUNDS))

    by_length = [(float(n), milliseconds(f"alone {path}")) for n, path in texts.by_length.items()]
    row = texts.by_length[BATCH_LENGTH].read_text()
    by_batch = []
    for size in BATCHES:
        path = work / f"batch{size}.ids"
        path.write_text(row * size)
        by_batch.append((float(size), milliseconds(f"packed {path}") / size))
    assert max(LENGTHS) in dict(by_length)
    return [
        Curve("ms for a sentence of T tokens", "T", by_length),
        Curve(f"ms a sentence, B packed, T = {BATCH_LENGTH}", "B", by_batch),
        Curve("served sentences/s, lists of 8", "workers", _by_workers(command, texts, work)),
    ]


def _by_workers(command: list[str | Path], texts: Texts, work: Path) -> list[tuple[float, float]]:
    """By the clock: workers wait for each other's memory, which processor time does not show."""
    cores = sorted(os.sched_getaffinity(0))
    starts = range(0, len(texts.dev) - LIST + 1, LIST)
    requests = [make_request("/v1/classify", {"inputs": texts.dev[i : i + LIST]}) for i in starts]
    points = []
    for workers in range(1, len(cores) + 1):
        words = [str(word).replace("{workers}", str(workers)) for word in command]
        pinned = ",".join(map(str, cores[:workers]))
        with ServedProcess(words, pinned, work / "growth.log") as server:
            load = closed_loop(
                server.port,
                requests,
                CLIENTS_OF_A_WORKER * workers,
                SECONDS,
                2 * CLIENTS_OF_A_WORKER * workers,
            )
        points.append((float(workers), load.answers * LIST / load.seconds))
    return points


def draw(curves: list[Curve], caption: str) -> str:
    wide = len(curves) * (WIDTH + MARGIN + GAP)
    tall = HEIGHT + 2 * MARGIN + GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" font-family="sans-serif" '
        f'font-size="11" fill="{INK}"><rect width="{wide}" height="{tall}" fill="#fff"/>'
    ]
    for place, curve in enumerate(curves):
        parts.append(_panel(curve, MARGIN + place * (WIDTH + MARGIN + GAP)))
    parts.append(f'<text x="{MARGIN}" y="{tall - 10}" font-size="10">{escape(caption)}</text></svg>\n')
    return "\n".join(parts)


def _panel(curve: Curve, left: float) -> str:
    """The x axis doubles from tick to tick, the y axis begins at zero."""
    xs, ys = [math.log2(x) for x, _ in curve.points], [y for _, y in curve.points]
    span, top = max(xs) - min(xs) or 1, max(ys) * 1.1
    places = [
        (left + WIDTH * (x - min(xs)) / span, MARGIN + HEIGHT * (1 - y / top))
        for x, y in zip(xs, ys, strict=True)
    ]
    bottom = MARGIN + HEIGHT
    out = [f'<text x="{left}" y="{MARGIN - 14}" font-size="12">{escape(curve.title)}</text>']
    out.append(f'<path d="M{left} {MARGIN}V{bottom}H{left + WIDTH}" fill="none" stroke="{GRID}"/>')
    for (x, y), (value, result) in zip(places, curve.points, strict=True):
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{LINE}"/>')
        label = f"{float(f'{result:.3g}'):g}"  # three digits, and 1270 instead of 1.27e+03
        out.append(f'<text x="{x:.1f}" y="{y - 7:.1f}" text-anchor="middle" font-size="9">{label}</text>')
        out.append(f'<text x="{x:.1f}" y="{bottom + 14}" text-anchor="middle">{value:g}</text>')
    out.append(f'<text x="{left + WIDTH / 2}" y="{bottom + 28}" text-anchor="middle">{curve.x_title}</text>')
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    out.append(f'<polyline points="{line}" fill="none" stroke="{LINE}" stroke-width="1.5"/>')
    return "\n".join(out)
