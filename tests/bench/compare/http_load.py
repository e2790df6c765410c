"""A closed loop of clients on kept connections: each sends its next request when the last is answered."""

from __future__ import annotations

import json
import selectors
import socket
import time
from dataclasses import dataclass, field

PATIENCE = 120.0  # seconds


@dataclass
class Load:
    answers: int = 0
    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)  # seconds


def make_request(path: str, document: object) -> bytes:
    body = json.dumps(document).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


class _Client:
    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = bytearray()
        self._expected: int | None = None  # bytes of head and body
        self.sent_at = 0.0

    def send(self, request: bytes) -> None:
        self._received.clear()
        self._expected = None
        self.sent_at = time.perf_counter()
        self.socket.sendall(request)

    def receive(self) -> bool:
        """Whether the answer is whole; anything but a 200 ends the run."""
        part = self.socket.recv(1 << 20)
        if not part:
            raise ConnectionError("the server closed a connection")
        self._received += part
        if self._expected is None:
            end = self._received.find(b"\r\n\r\n")
            if end < 0:
                return False
            head = bytes(self._received[:end]).decode("latin-1").split("\r\n")
            if " 200 " not in head[0] + " ":
                raise ConnectionError(f"answered {head[0]}")
            lengths = [line.split(":")[1] for line in head if line.lower().startswith("content-length:")]
            self._expected = end + 4 + int(lengths[0])
        return len(self._received) >= self._expected


def closed_loop(port: int, requests: list[bytes], clients: int, seconds: float, least: int) -> Load:
    """Sends the requests over and over for so long, `least` of them at the least, and waits for every answer.

    Work on an answer that nobody waits for would count for nothing.
    """
    load = Load()
    sent = 0
    with selectors.DefaultSelector() as selector:
        connected = [_Client(port) for _ in range(clients)]
        start = time.perf_counter()
        for client in connected:
            selector.register(client.socket, selectors.EVENT_READ, client)
            client.send(requests[sent % len(requests)])
            sent += 1
        while load.answers < sent:
            ready = selector.select(timeout=PATIENCE)
            if not ready:
                raise TimeoutError(f"no answer in {PATIENCE:.0f} s")
            for key, _ in ready:
                client = key.data
                if not client.receive():
                    continue
                now = time.perf_counter()
                load.latencies.append(now - client.sent_at)
                load.answers += 1
                if sent < least or now - start < seconds:
                    client.send(requests[sent % len(requests)])
                    sent += 1
                else:
                    selector.unregister(client.socket)  # the server closes what is idle
        load.seconds = time.perf_counter() - start
        for client in connected:
            client.socket.close()
    return load
