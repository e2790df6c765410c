"""The life of the real program: process_test.py BIN_DIR

What it is told at its start, its signals, and many connections at once. Every wait is bounded.
"""

import concurrent.futures
import http.client
import json
import os
import pathlib
import queue
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest

SERVER = "notbad-server"
PATIENCE = 60  # seconds; a machine under load may be slow
SHORT = {"Content-Type": "application/json"}
# A batch that one worker computes and two that wait meanwhile.
LONG_WORK = json.dumps({"inputs": ["not bad " * 400] * 12}).encode()
UNHURRIED = ["--workers", "1", "--request-timeout-ms", "60000"]


class Server:
    """The program with its output; ends with the block."""

    def __init__(self, *flags, prefix=(), env=None, wait=True):
        command = [*prefix, str(BIN / SERVER), "--port", "0", *flags]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **(env or {})}
        )
        self.lines = []
        self.news = queue.Queue()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        self.host, self.port = "127.0.0.1", 0
        if wait:
            found = self.await_line(r"listening on http://(\[?[0-9a-f.:]+?\]?):(\d+)$")
            self.host, self.port = found[1].strip("[]"), int(found[2])

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            self.news.put(line.rstrip())

    def await_line(self, pattern):
        deadline = time.monotonic() + PATIENCE
        while True:
            line = self.news.get(timeout=max(0.001, deadline - time.monotonic()))
            if found := re.search(pattern, line):
                return found

    def connect(self):
        return socket.create_connection((self.host, self.port), timeout=PATIENCE)

    def ask(self, method="GET", path="/readyz", body=None):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        connection.request(method, path, body, SHORT if body else {})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), content

    def signal(self, number):
        self.process.send_signal(number)

    def exit_code(self):
        code = self.process.wait(timeout=PATIENCE)
        self.reader.join(timeout=PATIENCE)
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()


def run(*arguments, env=None, prefix=()):
    done = subprocess.run(
        [*prefix, str(BIN / SERVER), *arguments],
        capture_output=True, text=True, timeout=PATIENCE, check=False, env={**os.environ, **(env or {})},
    )
    return done.returncode, done.stdout + done.stderr


def read_answer(connection):
    data = b""
    while chunk := connection.recv(65536):
        data += chunk
    return data


class Start(unittest.TestCase):
    def test_refuses_bad_settings_naming_them(self):
        for arguments, env, said in [
            (["--no-such-flag"], {}, "--no-such-flag"),
            (["--port", "70000"], {}, "--port"),
            (["--workers", "-1"], {}, "--workers"),
            (["--host", "nonsense"], {}, "--host"),
            (["--batch-tokens", "255"], {}, "--batch-tokens 255"),
            ([], {"NOTBAD_PORT": ""}, "NOTBAD_PORT"),
            ([], {"NOTBAD_PORT": "99999999999999999999"}, "NOTBAD_PORT"),
        ]:
            with self.subTest(arguments=arguments, env=env):
                code, output = run(*arguments, env=env)
                self.assertEqual(code, 2, output)
                self.assertIn(said, output)

    def test_prints_the_effective_settings_as_json(self):
        code, output = run("--print-config", "--workers", "3", env={"NOTBAD_MAX_CONNECTIONS": "77"})
        self.assertEqual(code, 0)
        config = json.loads(output)
        self.assertEqual((config["workers"], config["max-connections"], config["host"]), (3, 77, "127.0.0.1"))

    def test_warns_of_a_variable_that_means_nothing(self):
        code, output = run("--print-config", env={"NOTBAD_PROT": "1"})
        self.assertEqual(code, 0)
        self.assertIn("NOTBAD_PROT", output)

    def test_follows_the_limit_of_open_files(self):
        code, output = run("--print-config", prefix=["prlimit", "--nofile=512:512"])
        self.assertEqual(code, 0)
        self.assertIn("ulimit", output)
        self.assertEqual(json.loads(output[: output.index("}") + 1])["max-connections"], 256)

    def test_ends_with_4_where_the_port_cannot_be_had(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            code, output = run("--port", port)
        self.assertEqual(code, 4, output)
        self.assertIn(port, output)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become nobody")
    def test_ends_with_4_where_the_port_needs_a_right(self):
        bounded = ["unshare", "--net", "setpriv", "--reuid=65534", "--clear-groups"]
        code, output = run("--port", "80", prefix=bounded)
        self.assertEqual(code, 4, output)
        self.assertIn("80", output)

    def test_listens_on_ipv6(self):
        with Server("--host", "::1") as server:
            self.assertEqual(server.ask()[0], 200)


class HealthCheck(unittest.TestCase):
    def test_says_by_its_exit_code_whether_the_server_is_ready(self):
        with Server() as server:
            port = str(server.port)
            self.assertEqual(run("healthcheck", "--port", port)[0], 0)
            self.assertEqual(run("healthcheck", env={"NOTBAD_HOST": "0.0.0.0", "NOTBAD_PORT": port})[0], 0)
            server.signal(signal.SIGTERM)
            self.assertEqual(server.exit_code(), 0)
            code, output = run("healthcheck", "--port", port)
            self.assertEqual(code, 1)
            self.assertIn("does not answer", output)


class Signals(unittest.TestCase):
    def assert_ends(self, server, within, code=0):
        begin = time.monotonic()
        self.assertEqual(server.exit_code(), code, server.lines)
        self.assertLess(time.monotonic() - begin, within)

    def test_each_ending_signal_ends_an_idle_server_at_once(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number), Server() as server:
                server.signal(number)
                self.assert_ends(server, 2)

    def test_idle_connections_do_not_hold_the_end_up(self):
        with Server() as server:
            used = http.client.HTTPConnection(server.host, server.port, timeout=PATIENCE)
            used.request("GET", "/readyz")
            used.getresponse().read()
            fresh = server.connect()
            server.signal(signal.SIGTERM)
            self.assert_ends(server, 2)
            self.assertEqual(fresh.recv(1), b"")
            fresh.close()
            used.close()

    def test_other_signals_do_nothing(self):
        with Server() as server:
            for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGPIPE, signal.SIGCHLD):
                server.signal(number)
            self.assertEqual(server.ask()[0], 200)

    def test_a_hangup_ignored_from_outside_stays_ignored(self):
        with Server(prefix=["nohup"]) as server:
            server.signal(signal.SIGHUP)
            self.assertEqual(server.ask()[0], 200)

    def test_a_signal_while_loading_ends_at_once(self):
        with Server(wait=False) as server:
            server.await_line("config ")
            server.signal(signal.SIGTERM)
            self.assert_ends(server, 2)
            self.assertNotIn("listening", "\n".join(server.lines))

    def test_a_running_request_is_finished_first(self):
        with Server(*UNHURRIED, "--drain-timeout-ms", "60000") as server, concurrent.futures.ThreadPoolExecutor() as pool:
            answer = pool.submit(server.ask, "POST", "/v1/classify", LONG_WORK)
            self.await_work(server)
            server.signal(signal.SIGTERM)
            status, headers, body = answer.result(PATIENCE)
            self.assertEqual(status, 200)
            self.assertEqual(headers["Connection"], "close")
            self.assertEqual(len(json.loads(body)["results"]), 12)
            self.assertEqual(server.exit_code(), 0)

    def test_what_exceeds_the_drain_timeout_is_told_so(self):
        with Server(*UNHURRIED, "--drain-timeout-ms", "50") as server, concurrent.futures.ThreadPoolExecutor() as pool:
            answer = pool.submit(server.ask, "POST", "/v1/classify", LONG_WORK)
            self.await_work(server)
            server.signal(signal.SIGTERM)
            status, headers, body = answer.result(PATIENCE)
            self.assertEqual((status, json.loads(body)["code"]), (503, "draining"))
            self.assertIn("Retry-After", headers)
            self.assertEqual(server.exit_code(), 0)
            self.assertIn("ended with 1 unfinished", "\n".join(server.lines))

    def test_a_second_signal_ends_at_once(self):
        with Server("--drain-delay-ms", "60000") as server:
            server.signal(signal.SIGTERM)
            server.await_line("draining")
            server.signal(signal.SIGTERM)
            self.assert_ends(server, 2, code=1)

    def test_new_connections_are_served_during_the_drain_delay(self):
        with Server("--drain-delay-ms", "1500") as server:
            server.signal(signal.SIGTERM)
            server.await_line("draining")
            status, headers, body = server.ask()
            self.assertEqual((status, json.loads(body)["code"]), (503, "draining"))
            status, headers, _ = server.ask("POST", "/v1/classify", b'{"inputs": "not bad"}')
            self.assertEqual((status, headers["Connection"]), (200, "close"))
            self.assertEqual(server.exit_code(), 0)
            with self.assertRaises(ConnectionRefusedError):
                server.connect()

    @unittest.skipUnless(os.geteuid() == 0, "needs root for a process namespace")
    def test_ends_in_good_order_as_the_first_process_of_a_container(self):
        with Server(prefix=["unshare", "--pid", "--fork", "--kill-child"]) as server:
            parent = server.process.pid
            children = pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split()
            os.kill(int(children[0]), signal.SIGTERM)
            self.assertEqual(server.exit_code(), 0)

    def await_work(self, server):
        """Until the server has read the request: only then is it work that a drain waits for."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            metrics = server.ask(path="/metrics")[2].decode()
            if re.search(r"^notbad_queue_tokens [1-9]", metrics, re.M):
                return
            time.sleep(0.01)
        self.fail("the request never came to the queue")


class ManyConnections(unittest.TestCase):
    def test_idle_ones_do_not_slow_a_good_request_and_the_next_is_told_503(self):
        with Server("--idle-timeout-ms", "60000") as server:
            good = http.client.HTTPConnection(server.host, server.port, timeout=PATIENCE)
            good.request("GET", "/readyz")
            good.getresponse().read()
            idle = [server.connect() for _ in range(1023)]
            times = []
            for _ in range(20):
                begin = time.monotonic()
                good.request("GET", "/livez")
                self.assertEqual(good.getresponse().read(), b'{"status":"ok"}')
                times.append(time.monotonic() - begin)
            print(f"beside 1,023 idle connections livez took {sorted(times)[10] * 1000:.1f} ms (median)", file=sys.stderr)
            self.assertLess(sorted(times)[10], 0.5)
            with server.connect() as beyond:
                beyond.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
                answer = read_answer(beyond)
            self.assertIn(b" 503 ", answer)
            self.assertIn(b"Retry-After: 1\r\n", answer)
            for connection in [*idle, good]:
                connection.close()

    def test_tricklers_are_cut_off_and_others_served_meanwhile(self):
        with Server() as server:
            tricklers = [server.connect() for _ in range(500)]
            for trickler in tricklers:
                trickler.sendall(b"GET /livez HTTP/1.1\r\nHos")
            self.assertEqual(server.ask(path="/livez")[0], 200)
            cut_off, _, _ = select.select(tricklers[-1:], [], [], 0)
            self.assertEqual(cut_off, [], "the good request had to wait until the tricklers were gone")
            for trickler in tricklers:
                self.assertIn(b" 408 ", read_answer(trickler))
                trickler.close()

    def test_a_burst_of_connections_is_answered_to_the_last(self):
        with Server("--max-connections", "64") as server, concurrent.futures.ThreadPoolExecutor(16) as pool:
            statuses = list(pool.map(lambda _: server.ask(path="/livez")[0], range(2000)))
            self.assertLessEqual(set(statuses), {200, 503})
            self.assertGreater(statuses.count(200), 1000)
            self.assertEqual(server.ask()[0], 200)


if __name__ == "__main__":
    BIN = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=2)
