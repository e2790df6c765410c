"""Two replicas behind a real HAProxy under constant load: rolling.py BIN_DIR [--rate N, requests a second]

What happens to the requests while the replicas are restarted one by one, when one is killed, and when one is kept busy
by somebody else. Figures are printed; every wait is bounded.
"""

import argparse
import contextlib
import http.client
import json
import pathlib
import queue
import signal
import socket
import subprocess
import tempfile
import threading
import time

CONFIG = pathlib.Path(__file__).parents[2] / "server/deploy/haproxy.cfg"
PATIENCE = 90  # seconds; a machine under load may be slow
SHORT = json.dumps({"inputs": "The movie was not bad"}).encode()
LONG = json.dumps({"inputs": ["not bad " * 400] * 16}).encode()
JSON = {"Content-Type": "application/json"}
# Two HAProxy checks and a margin, as compose.yaml has it.
DRAIN_DELAY_MS = 2000


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def ask(port, method, path, body=None, timeout=PATIENCE):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body, JSON if body else {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def wait_for(what, is_so):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError, http.client.HTTPException):
            if is_so():
                return
        time.sleep(0.05)  # Neither program says it in another way than by being asked.
    raise AssertionError(f"{what} did not happen within {PATIENCE} s")


class Replica:
    def __init__(self, name, folder):
        self.name, self.port, self.process = name, free_port(), None
        self.log = open(folder / f"{name}.log", "ab")

    def start(self, *flags):
        self.process = subprocess.Popen(
            [BIN / "notbad-server", "--port", str(self.port), "--workers", "1", "--drain-delay-ms", str(DRAIN_DELAY_MS),
             "--log-level", "warn", *flags],
            stdout=self.log, stderr=self.log,
        )
        wait_for(f"{self.name} ready", lambda: ask(self.port, "GET", "/readyz")[0] == 200)

    def signal(self, number):
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE)

    def end(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(timeout=PATIENCE)
        self.log.close()


class Balancer:
    """HAProxy with the shipped configuration, but for addresses, and a socket that answers questions."""

    def __init__(self, folder, replicas):
        self.port, self.socket = free_port(), folder / "haproxy.sock"
        text = CONFIG.read_text(encoding="utf-8")
        for place, value in {
            "bind :8080": f"bind 127.0.0.1:{self.port}",
            "global\n": f"global\n  stats socket {self.socket} mode 600 level user\n",
            **{f"{replica.name}:8080": f"127.0.0.1:{replica.port}" for replica in replicas},
        }.items():
            assert text.count(place) == 1, f"{CONFIG}: {place!r} does not stand there once"
            text = text.replace(place, value)
        config = folder / "haproxy.cfg"
        config.write_text(text, encoding="utf-8")
        check = subprocess.run(["haproxy", "-c", "-f", config], capture_output=True, text=True, timeout=30, check=False)
        assert check.returncode == 0 and "WARNING" not in check.stderr, check.stderr
        self.log = open(folder / "haproxy.log", "wb")
        self.process = subprocess.Popen(["haproxy", "-db", "-f", config], stdout=self.log, stderr=self.log)
        wait_for("HAProxy serving", lambda: ask(self.port, "GET", "/readyz")[0] == 200)

    def servers(self):
        """name -> its row of HAProxy's statistics"""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect(str(self.socket))
            connection.sendall(b"show stat\n")
            rows = b"".join(iter(lambda: connection.recv(65536), b"")).decode().lstrip("# ").splitlines()
        names = rows[0].split(",")
        table = [dict(zip(names, row.split(","))) for row in rows[1:] if row]
        return {row["svname"]: row for row in table if row["pxname"] == "replicas"}

    def is_up(self, name):
        return self.servers()[name]["status"] == "UP"

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(timeout=10)
        self.log.close()

    def turns(self):
        """What it said of replicas that came and went."""
        lines = pathlib.Path(self.log.name).read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(line for line in lines if " is DOWN" in line or " is UP" in line)


class Load:
    """Asks at a constant rate, whatever the answers take, half on kept connections and half on new ones.

    Never asks twice: what fails is lost, as it is to a client that does not repeat.
    """

    CLIENTS = 32
    KEPT = 10  # seconds; then a client lets go of its connection, before HAProxy does

    def __init__(self, port, rate):
        self.port, self.rate = port, rate
        self.answers = []  # (time it was due, seconds from then to the answer, status or what went wrong)
        self.due = queue.Queue()
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self.ask, args=(i % 2 == 0,)) for i in range(self.CLIENTS)]
        self.threads.append(threading.Thread(target=self.schedule))
        for thread in self.threads:
            thread.start()

    def schedule(self):
        begin, number = time.monotonic(), 0
        while not self.is_over.is_set():
            moment = begin + number / self.rate
            self.is_over.wait(max(0, moment - time.monotonic()))
            self.due.put(moment)
            number += 1
        for _ in range(self.CLIENTS):
            self.due.put(None)

    def ask(self, keeps):
        connection, used = None, 0
        while (moment := self.due.get()) is not None:
            if connection is not None and time.monotonic() - used > self.KEPT:
                connection.close()
                connection = None
            if connection is None:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
            try:
                connection.request("POST", "/v1/classify", SHORT, JSON)
                answer = connection.getresponse()
                content = answer.read()
                found = answer.status
                if found == 200 and b'"label":"positive"' not in content:
                    found = "a wrong answer"
                if not keeps or answer.will_close:
                    connection.close()
                    connection = None
            except (OSError, http.client.HTTPException) as error:
                found = type(error).__name__
                connection.close()
                connection = None
            used = time.monotonic()
            self.answers.append((moment, used - moment, found))
        if connection is not None:
            connection.close()

    def end(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join(timeout=PATIENCE)


class Phase:
    """The answers of the requests that fell due within the block, and what HAProxy counted meanwhile."""

    def __init__(self, title, load, balancer):
        self.title, self.load, self.balancer = title, load, balancer

    def __enter__(self):
        self.before, self.begin = self.balancer.servers(), time.monotonic()
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            return
        self.finish = time.monotonic()
        due = round((self.finish - self.begin) * self.load.rate) - 2
        wait_for("an answer to each", lambda: len(self.answers()) >= due)
        after = self.balancer.servers()
        self.counted = {
            name: {what: int(after[name][what]) - int(self.before[name][what]) for what in ("hrsp_2xx", "wretr")}
            for name in after
        }
        times = sorted(seconds for _, seconds, _ in self.answers())
        self.lost = sorted(str(found) for _, _, found in self.answers() if found != 200)
        shares = ", ".join(f"{name} {self.counted[name]['hrsp_2xx']}" for name in sorted(after) if name != "BACKEND")
        print(
            f"{self.title}: {self.finish - self.begin:.1f} s, {len(times)} requests, {len(self.lost)} lost"
            f"{' ' + str(set(self.lost)) if self.lost else ''}; p50 {quantile(times, 0.5):.0f} ms, "
            f"p99 {quantile(times, 0.99):.0f} ms, slowest {times[-1] * 1000:.0f} ms; {shares}; "
            f"sent again {self.counted['BACKEND']['wretr']}",
            flush=True,
        )

    def answers(self):
        return [answer for answer in list(self.load.answers) if self.begin <= answer[0] < self.finish]


def quantile(times, share):
    return times[min(len(times) - 1, int(share * len(times)))] * 1000


def crowd(port, is_over, refused):
    """A stranger who keeps one replica busy past the balancer."""
    while not is_over.is_set():
        with contextlib.suppress(OSError, http.client.HTTPException):
            if ask(port, "POST", "/v1/classify", LONG)[0] == 503:
                refused.append(1)
                is_over.wait(0.02)


def affordable_rate(port):
    """A quarter of what one replica answers one after the other: the other one has to bear all for a while."""
    begin, times = time.monotonic(), 0
    while times < 20 or time.monotonic() - begin < 3:
        assert ask(port, "POST", "/v1/classify", SHORT)[0] == 200
        times += 1
    return min(20, times / (time.monotonic() - begin) / 4)


def main(rate):
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        replicas = [Replica(f"replica{number}", folder) for number in (1, 2)]
        for replica in replicas:
            stack.callback(replica.end)
            replica.start()
        balancer = Balancer(folder, replicas)
        stack.callback(balancer.end)
        stack.push(lambda kind, *_: print(balancer.turns()) if kind else None)
        wait_for("both up", lambda: all(balancer.is_up(replica.name) for replica in replicas))
        rate = rate or affordable_rate(replicas[0].port)
        print(f"{rate:.1f} requests a second", flush=True)
        load = Load(balancer.port, rate)
        stack.callback(load.end)
        time.sleep(1)

        with Phase("steady", load, balancer) as steady:
            time.sleep(10)
        assert not steady.lost, f"this machine is too busy for {rate:.1f} requests a second: give a lower --rate"

        with Phase("rolling restart", load, balancer) as rolling:
            for replica in replicas:
                code = replica.signal(signal.SIGTERM)
                assert code == 0, f"{replica.name} ended with {code}"
                replica.start()
                wait_for(f"{replica.name} up", lambda: balancer.is_up(replica.name))
        assert not rolling.lost, f"a rolling restart lost {len(rolling.lost)}"

        first, second = replicas
        with Phase("one killed", load, balancer) as killed:
            time.sleep(1)
            first.signal(signal.SIGKILL)
            begin = time.monotonic()
            wait_for("it is down", lambda: balancer.servers()[first.name]["status"].startswith("DOWN"))
            noticed = time.monotonic() - begin
            time.sleep(3)
        print(f"  HAProxy took {noticed:.2f} s to see it")
        # Those that it was computing; HAProxy asks again where nothing of an answer had come.
        assert len(killed.lost) <= 1, f"a kill lost {len(killed.lost)}"
        # Two strangers fill it; a machine for both replicas would be as busy for the other if they came in crowds.
        first.start("--max-concurrent", "2")
        wait_for("it is up again", lambda: balancer.is_up(first.name))

        is_over, refused = threading.Event(), []
        strangers = [threading.Thread(target=crowd, args=(first.port, is_over, refused)) for _ in range(3)]
        stack.callback(is_over.set)
        for stranger in strangers:
            stranger.start()
        wait_for("it refuses", lambda: refused)
        with Phase("one overloaded", load, balancer) as crowded:
            time.sleep(10)
        is_over.set()
        for stranger in strangers:
            stranger.join(timeout=PATIENCE)
        print(f"  it refused {len(refused)} of the strangers' requests meanwhile")
        shares = [crowded.counted[replica.name]["hrsp_2xx"] for replica in (first, second)]
        assert not crowded.lost, f"beside an overloaded replica were lost {len(crowded.lost)}"
        assert shares[1] > 2 * shares[0], f"the traffic did not shift: {shares}"
        assert ask(balancer.port, "GET", "/metrics")[0] == 404, "the balancer shows the metrics to everybody"
    print("4 passed, 0 failed")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--rate", type=float, help="requests a second; default: what this machine can afford, 20 at most")
    arguments = parser.parse_args()
    BIN = arguments.bin.resolve()
    main(arguments.rate)
