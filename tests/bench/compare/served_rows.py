"""The rows that ask a server over loopback. Servers stand on one core, clients on another.

Rates are sentences a second of the server's processor time: what it would do with the core to itself,
whoever else has it now. Latencies and starts are by the clock.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from contestant import Contestant
from http_load import closed_loop, make_request
from rows import Outcome, Ratio
from served_process import ServedProcess
from texts import EXAMPLE, Texts

CLIENTS = 64
LIST = 8
LEAST_WAVES = 1  # of a request by each client
SECONDS = 2.0
LEAST_LATENCIES = 60


@dataclass(frozen=True)
class Stacks:
    """Commands, with {port} where the port goes."""

    ours: list[str | Path]
    python: list[str | Path]
    fastify: list[str | Path]
    core: int
    logs: Path

    def start(self, name: str) -> ServedProcess:
        return ServedProcess(getattr(self, name), str(self.core), self.logs / f"{name}.log")


def rate(server: ServedProcess, requests: list[bytes], clients: int, sentences: int) -> float:
    before = server.processor_seconds()
    load = closed_loop(server.port, requests, clients, SECONDS, LEAST_WAVES * clients)
    return load.answers * sentences / (server.processor_seconds() - before)


def p50(server: ServedProcess, request: bytes) -> float:
    return statistics.median(closed_loop(server.port, [request], 1, SECONDS / 2, LEAST_LATENCIES).latencies)


def resident_mib(stacks: Stacks) -> float:
    """What our server holds at rest, after an answer."""
    with stacks.start("ours") as own:
        closed_loop(own.port, [make_request("/v1/classify", {"inputs": EXAMPLE})], 1, 0, 1)
        return own.resident_mib()


def served_rows(
    stacks: Stacks, engine: Contestant, texts: Texts, rounds: int
) -> dict[str, Callable[[], Outcome]]:
    singles = [make_request("/predict", {"inputs": text}) for text in texts.dev]
    lists = [
        make_request("/v1/classify", {"inputs": texts.dev[i : i + LIST]})
        for i in range(0, len(texts.dev) - LIST + 1, LIST)
    ]

    def against(peer: str) -> Outcome:
        ours, theirs = [], []
        with stacks.start("ours") as own, stacks.start(peer) as other:
            for _ in range(rounds):
                ours.append(rate(own, singles, CLIENTS, 1))
                theirs.append(rate(other, singles, CLIENTS, 1))
        return Ratio.of(ours, theirs, "sentences/s")

    def served_share() -> Outcome:
        served, alone = [], []
        with stacks.start("ours") as own:
            for _ in range(rounds):
                served.append(rate(own, lists, CLIENTS, LIST))
                alone.append(len(texts.dev) / engine.ask(f"packed {texts.dev_ids}"))
        return Ratio.of(served, alone, "sentences/s")

    def served_p50() -> Outcome:
        request = make_request("/v1/classify", {"inputs": EXAMPLE})
        served, alone = [], []
        with stacks.start("ours") as own:
            for _ in range(rounds):
                served.append(1e3 * p50(own, request))
                alone.append(1e3 * engine.ask(f"clock {texts.example_ids}"))
        return Ratio.of(served, alone, "ms")

    def maps_cost() -> Outcome:
        plain = {"inputs": texts.text_32}
        full = plain | {"attention": {"mode": "full"}}
        with_maps, without = [], []
        with stacks.start("ours") as own:
            for _ in range(rounds):
                with_maps.append(1e3 * p50(own, make_request("/v1/classify", full)))
                without.append(1e3 * p50(own, make_request("/v1/classify", plain)))
        return Ratio.of(with_maps, without, "ms")

    def ready() -> Outcome:
        seconds: dict[str, list[float]] = {"ours": [], "python": []}
        for name in ["ours", "python"] * rounds:
            with stacks.start(name) as server:
                seconds[name].append(server.seconds_to_ready)
        return Ratio.of(seconds["ours"], seconds["python"], "s")

    return {
        "served_share": served_share,
        "served_p50": served_p50,
        "fastify_ort": lambda: against("fastify"),
        "python_ort": lambda: against("python"),
        "maps_cost": maps_cost,
        "ready": ready,
    }
