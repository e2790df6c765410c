"""Asks the C++ engine, by way of notbad-server on loopback, so that figures are those of what ships."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

_START_SECONDS = 60
_ANSWER_SECONDS = 120
_LISTENING = re.compile(r"listening on (http://\S+)")
MAX_INPUTS = 32
MAX_CHARACTERS = 8000


class EngineError(RuntimeError):
    """The server did not start, or refused a request; the message carries its words."""


class Engine:
    """A notbad-server of its own on a free port, for the length of a `with` block."""

    def __init__(self, server: Path, model: Path, dtype: str = "f32") -> None:
        self._command = [str(server), "--host", "127.0.0.1", "--port", "0", "--model", str(model)]
        self._command += ["--request-timeout-ms", str(_ANSWER_SECONDS * 1000), "--dtype", dtype]
        self._process: subprocess.Popen[str] | None = None
        self._address = ""
        self._log = tempfile.TemporaryFile(mode="w+")  # noqa: SIM115  closed in __exit__

    def __enter__(self) -> Engine:
        # A log line a request: in a file, since a pipe that nobody reads would stop the server.
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=self._log, text=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := _LISTENING.search(line):
                self._address = found[1]
                return self
        self._log.seek(0)
        raise EngineError("notbad-server did not start:\n" + self._log.read())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.communicate(timeout=_START_SECONDS)
        self._log.close()

    def classify(self, texts: Sequence[str], **options: Any) -> Iterator[dict[str, Any]]:
        """One result a text, in order, as /v1/classify gives it; `options` go into the request."""
        size = 1 if "attention" in options else MAX_INPUTS
        for start in range(0, len(texts), size):
            inputs = [text[:MAX_CHARACTERS] for text in texts[start : start + size]]
            yield from self._post({"inputs": inputs, "negation": "none", **options})["results"]

    def _post(self, body: dict[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(
            f"{self._address}/v1/classify", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=_ANSWER_SECONDS) as response:
                answer: dict[str, Any] = json.load(response)
        except urllib.error.HTTPError as error:
            raise EngineError(f"notbad-server answered {error.code}: {error.read().decode()}") from error
        return answer


def margin(result: dict[str, Any]) -> float:
    """z_pos - z_neg."""
    logits = result["logits"]
    return float(logits["positive"] - logits["negative"])
