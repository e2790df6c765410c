"""A server of ours or of a peer, pinned, from its start to its end."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from contestant import ONE_THREAD

PATIENCE = 120.0  # seconds until a server must be ready
POLL = 0.002
TICKS = os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


class ServedProcess:
    """`command` holds {port}. Ready when GET /readyz is a 200; `seconds_to_ready` says after how long."""

    def __init__(self, command: list[str | Path], cores: str, log: Path) -> None:
        self.port = free_port()
        words = [str(word).replace("{port}", str(self.port)) for word in command]
        start = time.perf_counter()
        with log.open("wb") as out:
            self._process = subprocess.Popen(
                ["taskset", "-c", cores, *words], stdout=out, stderr=out, env=os.environ | ONE_THREAD
            )
        while not self._is_ready():
            if self._process.poll() is not None or time.perf_counter() - start > PATIENCE:
                self.stop()
                raise RuntimeError(f"{words[0]} did not become ready, see {log}")
            time.sleep(POLL)
        self.seconds_to_ready = time.perf_counter() - start

    def processor_seconds(self) -> float:
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def resident_mib(self) -> float:
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(timeout=30)

    def _is_ready(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as asked:
                asked.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                return b" 200 " in asked.recv(4096).split(b"\r\n")[0]
        except OSError:
            return False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
