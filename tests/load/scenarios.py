"""A server under load, scenario by scenario: scenarios.py --server PROGRAM --generator PROGRAM [OPTION VALUE]...

Prints a row a scenario and ends with 1 where a limit is broken:
- an answer other than 200, the status that a malformed request deserves, or 503 with Retry-After,
- a request that was sent and not answered whole, also while the server ends,
- a probe slower than 100 ms, beyond what an idle thread had to wait at the same time (see probe.h); where other
  programs took much of the machine, this is said instead of judged,
- half of the scrapes of /metrics beside load slower than 5 ms,
- memory that grows by more than 1 MiB a minute or ever beyond 256 MiB, or descriptors that stay open.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

SCENARIOS = ("idle", "clients32", "clients256", "scrapes", "overload", "tricklers", "readers", "disconnects", "sigterm", "soak")
PATIENCE = 120  # seconds; a machine under load may be slow to start a program
IDLE_TIMEOUT = 5  # seconds after which the server closes an idle connection
MAX_GROWTH = 1.0  # MiB of memory a minute
MAX_PEAK = 256  # MiB of memory, which the container is promised to do with
MAX_SCRAPE = 5  # ms, half of the scrapes beside load
SHORTEST_TREND = 120  # seconds of a soak from which a trend can be told
MAX_OTHERS = 0.25  # of the machine's time for other programs, with which probes can still be judged
SPARE_DESCRIPTORS = 4  # that may stay open: a scrape or a log on its way
COLUMNS = ("scenario", "req/s", "p50 ms", "p99 ms", "status mix", "lost", "raced", "probe p99 max",
           "idle thread p99 max", "RSS MiB", "descriptors", "threads")
ROW = "{:18} {:>6} {:>8} {:>8}  {:34} {:>4} {:>5}  {:>16} {:>20}  {:>13} {:>11} {:>11}"


class Server:
    """The program on a free port; its log goes to a file. Ends with the block."""

    def __init__(self, program, folder, *flags):
        self.log = pathlib.Path(folder) / f"{time.monotonic_ns()}.log"
        with self.log.open("w", encoding="utf-8") as log:
            self.process = subprocess.Popen([program, "--port", "0", *flags], stdout=log, stderr=log)
        deadline = time.monotonic() + PATIENCE
        while not (found := re.findall(r"listening on http://127\.0\.0\.1:(\d+)", self.log.read_text("utf-8"))):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{program} does not start: {self.log.read_text('utf-8')[-2000:]}")
            time.sleep(0.1)
        self.port = found[-1]

    def figures(self):
        """Memory in MiB, open descriptors and threads."""
        folder = pathlib.Path(f"/proc/{self.process.pid}")
        status = (folder / "status").read_text("ascii")
        rss = int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024
        return rss, len(list((folder / "fd").iterdir())), int(re.search(r"Threads:\s+(\d+)", status)[1])

    def peak(self):
        """The most memory so far, in MiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def cpu_seconds(self):
        try:
            fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        except FileNotFoundError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def settle(self, descriptors):
        """Figures once no more descriptors are open than before, at the latest when idle connections must be gone."""
        deadline = time.monotonic() + IDLE_TIMEOUT + 5
        while (figures := self.figures())[1] > descriptors and time.monotonic() < deadline:
            time.sleep(0.2)
        return figures

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait(timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


class Others:
    """The part of the machine's time that other programs than these two take while the block runs."""

    def __init__(self, server):
        self.server, self.part = server, 0.0

    def seconds(self):
        # user, nice, system, idle, iowait, irq, softirq, steal
        times = [int(word) for word in pathlib.Path("/proc/stat").read_text("ascii").split("\n")[0].split()[1:9]]
        own = resource.getrusage(resource.RUSAGE_CHILDREN)
        tick = os.sysconf("SC_CLK_TCK")
        idle = times[3] + times[4]
        return sum(times) / tick, (sum(times) - idle) / tick, self.server.cpu_seconds() + own.ru_utime + own.ru_stime

    def __enter__(self):
        self.begin = self.seconds()
        return self

    def __exit__(self, *_):
        every, busy, own = (new - old for new, old in zip(self.seconds(), self.begin))
        self.part = max(0.0, busy - own) / max(every, 1 / os.sysconf("SC_CLK_TCK"))


class Memory:
    """Samples the memory of a server each second while the block runs."""

    def __init__(self, server):
        self.server, self.samples, self.is_over = server, [], threading.Event()
        self.thread = threading.Thread(target=self.sample, daemon=True)

    def sample(self):
        begin = time.monotonic()
        while not self.is_over.wait(1):
            self.samples.append((time.monotonic() - begin, self.server.figures()[0]))

    def growth(self):
        """MiB a minute after the warm-up, which is the first third; None where that is too short to tell."""
        if not self.samples:
            return None
        rest = [sample for sample in self.samples if sample[0] >= self.samples[-1][0] / 3]
        if rest[-1][0] - rest[0][0] < SHORTEST_TREND:
            return None
        return statistics.linear_regression(*zip(*rest)).slope * 60

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()


def generate(options, server, seconds, **flags):
    """What the generator says."""
    command = [options.generator, "--port", server.port, "--seconds", str(seconds)]
    for name, value in flags.items():
        command += ["--" + name.replace("_", "-"), str(value)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + PATIENCE, check=True)
    return json.loads(done.stdout)


def print_row(name, result, before, after):
    mix = " ".join(f"{status}:{count}" for status, count in result["statuses"].items())
    pairs = [f"{round(old)} > {round(new)}" for old, new in zip(before, after)]
    print(ROW.format(name, round(sum(result["statuses"].values()) / result["seconds"]), round(result["latency_p50"], 1),
                     round(result["latency_p99"], 1), mix, round(result["lost"]), round(result["raced"]),
                     f"{result['probe_p99']:.1f} {result['probe_max']:.0f}",
                     f"{result['control_p99']:.1f} {result['control_max']:.0f}", *pairs), flush=True)
    for what, count in result["crowd"].items():
        print(f"    {what}: {count}")


def capacity_of(result):
    return result["statuses"].get("200", 0) / result["seconds"]


def complaints_about(result, may_end=False):
    """What is wrong with what the generator saw; where the server ends, there is nothing left to probe."""
    found = [f"{count} answers were {what}" for what, count in result["unexpected"].items()]
    if result["lost"]:
        found.append(f"{round(result['lost'])} requests were sent and not answered")
    if not may_end:
        if result["refused"]:
            found.append(f"{round(result['refused'])} connections were refused")
        if result["probes_failed"]:
            found.append(f"{round(result['probes_failed'])} probes were not answered with 200")
    return found


def slow_probes(result, others):
    """What is wrong with the time that probes took."""
    over, slow = round(result["probes_over"]), round(result["probes_slow"])
    if over == 0:
        return []
    said = (f"{over} of {round(result['probes'])} probes took more than 100 ms, "
            f"{slow} of them beyond an idle thread's wait")
    if slow and others <= MAX_OTHERS:
        return [said]
    print(f"    {said}" + (f": not judged, other programs took {others:.0%} of the machine" if slow else ""))
    return []


class Run:
    def __init__(self, options, folder):
        self.options, self.folder, self.failures = options, folder, []
        self.capacity = 0.0

    def fail(self, name, found):
        for complaint in found:
            self.failures.append(f"{name}: {complaint}")
            print(f"    FAILED: {complaint}", flush=True)

    def load(self, name, server, seconds=None, **flags):
        before = server.figures()
        with Others(server) as others:
            used = server.cpu_seconds()
            result = generate(self.options, server, seconds or self.options.seconds, **flags)
            used = server.cpu_seconds() - used
        after = server.settle(before[1])
        print_row(name, result, before, after)
        print(f"    the server used {used:.1f} s of CPU time")
        found = complaints_about(result) + slow_probes(result, others.part)
        if after[1] > before[1] + SPARE_DESCRIPTORS:
            found.append(f"{after[1] - before[1]} descriptors stay open")
        if server.process.poll() is not None:
            found.append(f"the server has ended with {server.process.returncode}")
        elif server.peak() > MAX_PEAK:
            found.append(f"{server.peak():.0f} MiB of memory at the most, {MAX_PEAK} are promised")
        self.fail(name, found)
        return result

    # The scenarios, under the names that --only takes. All but sigterm, which ends its own, share one server.

    def measure(self, server):
        """The capacity with a sentence a request: each of 16 clients asks again once it has its answer."""
        result = self.load("capacity", server, min(10, self.options.seconds), rate=0, connections=16)
        self.capacity = capacity_of(result)
        print(f"    capacity {self.capacity:.0f} requests/s", flush=True)

    def idle(self, server):
        self.load("idle", server, rate=0.3 * self.capacity, connections=16, idle=1000)

    def clients32(self, server):
        self.load("clients32", server, rate=0.5 * self.capacity, connections=32)

    def clients256(self, server):
        self.load("clients256", server, rate=0.5 * self.capacity, connections=256)

    def scrapes(self, server):
        """A hundred a second of /metrics: quick, and no burden for the others."""
        result = self.load("scrapes", server, rate=0.5 * self.capacity, connections=32, scrapes=100)
        said = f"a scrape took {result['scrape_p50']:.1f} ms, p99 {result['scrape_p99']:.1f} ms"
        print(f"    {said}")
        if result["scrape_p50"] > MAX_SCRAPE:
            self.fail("scrapes", [said])

    def overload(self, server):
        # Beyond --max-concurrent, so that the server has to refuse.
        result = self.load("overload", server, rate=2 * self.capacity, connections=512)
        print(f"    no request in work {result['recovered_after']:.2f} s after the last was due")

    def tricklers(self, server):
        result = self.load("tricklers", server, rate=0.3 * self.capacity, tricklers=500)
        self.expect_ends("tricklers", result, r"tricklers [5-9] s: 408")

    def readers(self, server):
        # Past the write timeout of 10 s, so that some are cut off.
        result = self.load("readers", server, max(20, self.options.seconds), rate=0.2 * self.capacity, slow_readers=8)
        self.expect_ends("readers", result, r"slow readers \d+ s: (200|503)")

    def disconnects(self, server):
        self.load("disconnects", server, rate=0.3 * self.capacity, disconnects=100)

    def expect_ends(self, name, result, pattern):
        """Every client of bad habits has to have ended like that, and there has to be one."""
        others = [what for what in result["crowd"] if not re.fullmatch(pattern, what)]
        if others or not result["crowd"]:
            self.fail(name, [f"clients should end as '{pattern}': {result['crowd']}"])

    def sigterm(self, _):
        """Without and with a delay in which balancers turn away; the load goes on until connections are refused."""
        for name, flags in [("sigterm", ()), ("sigterm, delay", ("--drain-delay-ms", "1000"))]:
            with Server(self.options.server, self.folder, *flags) as server:
                before = server.figures()
                timer = threading.Timer(3, server.process.send_signal, [signal.SIGTERM])
                timer.start()
                result = generate(self.options, server, 10, rate=0.7 * self.capacity, may_end="yes")
                code = server.process.wait(timeout=PATIENCE)
            print_row(name, result, before, before)
            found = complaints_about(result, may_end=True)
            if code != 0:
                found.append(f"exit code {code}")
            if "ended with 0 unfinished" not in server.log.read_text("utf-8"):
                found.append("the log does not say that no request was unfinished")
            self.fail(name, found)

    def soak(self, server):
        mixed = generate(self.options, server, min(10, self.options.seconds), rate=0, connections=16, mix="mixed")
        rate = 0.5 * capacity_of(mixed)
        with Memory(server) as memory:
            self.load("soak", server, self.options.soak_seconds, rate=rate, mix="mixed", malformed=0.01,
                      disconnects=10, seed=int(time.time()))
        growth = memory.growth()
        if growth is None:
            print("    too short to tell a trend of the memory")
            return
        print(f"    memory grew by {growth:.2f} MiB a minute after the first third")
        if growth > MAX_GROWTH:
            self.fail("soak", [f"memory grew by {growth:.2f} MiB a minute"])

    def all(self):
        wanted = self.options.only.split(",") if self.options.only else SCENARIOS
        if unknown := set(wanted) - set(SCENARIOS):
            sys.exit(f"scenarios.py: no scenario {', '.join(sorted(unknown))}; there are {', '.join(SCENARIOS)}")
        print(ROW.format(*COLUMNS))
        with Server(self.options.server, self.folder, *self.options.flags.split()) as server:
            self.measure(server)
            for name in SCENARIOS:
                if name in wanted:
                    getattr(self, name)(server)
            code = server.end()
        if code != 0:
            self.fail("end", [f"exit code {code}"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", required=True)
    parser.add_argument("--generator", required=True)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--soak-seconds", type=float, default=600)
    parser.add_argument("--only", default="")
    parser.add_argument("--flags", default="", help="more flags for the server")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = Run(options, folder)
        run.all()
    print("\n".join(run.failures) or "every limit held")
    return 1 if run.failures else 0


if __name__ == "__main__":
    sys.exit(main())
