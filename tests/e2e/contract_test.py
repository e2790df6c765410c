#!/usr/bin/env python3
"""contract_test.py BIN_DIR FAULTY_SERVER: holds the running service against the openapi.json that it serves, both ways.

Every answer that is provoked here must be in the contract, with its status, its type and a body of its schema, in which
no member is missing from the contract; every path, method and status of the contract must be provoked here; every
example of a request must work; and a body is refused for its form exactly where its schema refuses it.
"""

import http.client
import json
import pathlib
import re
import socket
import subprocess
import sys
import threading
import time

import jsonschema

JSON = {"Content-Type": "application/json"}
PATIENCE_S = 60


class Service:
    """A process that serves, on a port of its own; with-block."""

    def __init__(self, *command: str):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def __enter__(self) -> "Service":
        line = self.process.stdout.readline()
        found = re.search(r"listening on http://(\S+):(\d+)", line)
        assert found, f"the server said {line!r}"
        self.host, self.port = found[1], int(found[2])
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def ask(self, method: str, path: str, body: str | None = None, headers: dict | None = None):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE_S)
        if headers is None:
            headers = JSON if body is not None else {}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, answer.headers, content

    def send(self, request: str):
        """The bytes of a request as they are, and the one answer to them."""
        with socket.create_connection((self.host, self.port), timeout=PATIENCE_S) as connection:
            connection.sendall(request.encode())
            answer = http.client.HTTPResponse(connection, method=request.split(" ")[0])
            answer.begin()
            return answer.status, answer.headers, answer.read()


def closed(schema):
    """The same, with no member allowed that is not listed."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if "object" in schema.get("type", []) and isinstance(schema.get("properties"), dict):
        result.setdefault("additionalProperties", False)
    return result


class Contract:
    def __init__(self, document: dict):
        self.document = document
        self.provoked = set()

    def validator(self, schema: dict, strict: bool):
        components = self.document["components"]
        if strict:
            schema, components = closed(schema), closed(components)
        return jsonschema.Draft202012Validator({**schema, "components": components})

    def resolve(self, node: dict) -> dict:
        while "$ref" in node:
            target = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            node = target
        return node

    def check(self, method: str, path: str, answer) -> int:
        """Fails where the answer is not as the contract says; gives its status."""
        status, headers, content = answer
        where = f"{method} {path} {status}"
        operation = self.document["paths"][path][method.lower()]
        assert str(status) in operation["responses"], f"{where} is not in the contract: {content[:300]!r}"
        response = self.resolve(operation["responses"][str(status)])
        self.provoked.add((method, path, status))
        for name, header in response.get("headers", {}).items():
            assert name in headers, f"{where} has no header {name}"
            schema = self.resolve(header)["schema"]
            value = int(headers[name]) if schema["type"] == "integer" else headers[name]
            self.validator(schema, strict=False).validate(value)
        if "content" not in response:
            assert not content, f"{where} has a body"
            return status
        (media_type, media), = response["content"].items()
        found = headers["Content-Type"].split(";")[0]
        assert found == media_type, f"{where} is {found}, not {media_type}"
        body = json.loads(content) if media_type.endswith("json") else content.decode()
        errors = list(self.validator(media["schema"], strict=path != "/openapi.json").iter_errors(body))
        assert not errors, f"{where}: {errors[0].message} at {errors[0].json_path} of {content[:500]!r}"
        return status

    def body_schema(self, path: str) -> dict:
        media, = self.document["paths"][path]["post"]["requestBody"]["content"].values()
        return media["schema"]

    def body(self, path: str, text: str) -> str:
        """A body with this text, as a list where the path takes one."""
        takes_list = "inputs" in self.resolve(self.body_schema(path))["properties"]
        return json.dumps({"inputs": [text] * 32} if takes_list else {"input": text})

    def operations(self):
        for path, item in self.document["paths"].items():
            for method, operation in item.items():
                yield method.upper(), path, operation


def expect(contract: Contract, expected: int, method: str, path: str, answer):
    status = contract.check(method, path, answer)
    assert status == expected, f"{method} {path}: {status}, expected {expected}: {answer[2][:300]!r}"


def check_examples(contract: Contract, service: Service):
    for method, path, operation in contract.operations():
        for media in operation.get("requestBody", {}).get("content", {}).values():
            validator = contract.validator(media["schema"], strict=False)
            assert media["examples"], f"{method} {path} has no example"
            for name, example in media["examples"].items():
                validator.validate(example["value"])
                body = json.dumps(example["value"])
                assert contract.check(method, path, service.ask(method, path, body)) == 200, f"{path}: example {name}"
    for name, response in contract.document["components"]["responses"].items():
        for media in response.get("content", {}).values():
            if "example" in media:
                contract.validator(media["schema"], strict=True).validate(media["example"])
                assert name, name


# Bodies by path; each is refused for its form or value exactly where the schema refuses it.
BODIES = {
    "/v1/classify": [
        {}, [], "a", None, 1, {"inputs": None}, {"inputs": 1}, {"inputs": []}, {"inputs": ""}, {"inputs": ["a", 1]},
        {"inputs": ["a", ["b"]]}, {"inputs": {"a": 1}}, {"inputs": "a", "input": "b"}, {"inputs": "a", "truncate": "up"},
        {"inputs": "a", "truncate": None}, {"inputs": "a", "return_tokens": 1}, {"inputs": "a", "return_tokens": True},
        {"inputs": "a", "negation": "all"}, {"inputs": "a", "negation": "none"}, {"inputs": "a", "negation": "effects"},
        {"inputs": "a", "attention": "full"}, {"inputs": "a", "attention": {}},
        {"inputs": "a", "attention": {"mode": "x"}}, {"inputs": "a", "attention": {"mode": "full", "head": 0}},
        {"inputs": "a", "attention": {"mode": "full", "heads": []}},
        {"inputs": "a", "attention": {"mode": "full", "heads": [0, 0]}},
        {"inputs": "a", "attention": {"mode": "full", "heads": [-1]}},
        {"inputs": "a", "attention": {"mode": "full", "heads": [0.5]}},
        {"inputs": "a", "attention": {"mode": "full", "heads": "some"}},
        {"inputs": "a", "interventions": {}}, {"inputs": "a", "interventions": [1]}, {"inputs": "a", "interventions": []},
        {"inputs": "a", "interventions": [{"kind": "head_off"}]},
        {"inputs": "a", "interventions": [{"kind": "head_off", "layer": 0, "head": 0, "from": 0}]},
        {"inputs": "a", "interventions": [{"kind": "cut", "layer": 0, "head": 0, "from": 0}]},
        {"inputs": "a", "interventions": [{"kind": "head_uniform", "layer": 0, "head": 0}]},
        {"inputs": "a", "interventions": [{"kind": "cut", "layer": 0, "head": 0, "from": 0, "to": 1,
                                           "renormalise": "yes"}]},
    ],
    "/v1/explain": [
        {}, [], "a", {"input": None}, {"input": 1}, {"input": ["a"]}, {"input": ""}, {"input": "a"}, {"inputs": "a"},
        {"input": "a", "negation": "cues"}, {"input": "a", "interventions": {}}, {"input": "a", "interventions": [1]},
        {"input": "a", "interventions": [{"kind": "head_off", "layer": 0}]},
        {"input": "a", "interventions": [{"kind": "head_uniform", "layer": 0, "head": 0}]},
    ],
    "/v1/explain": [
        {}, [], {"input": None}, {"input": ["a"]}, {"input": ""}, {"inputs": "a"}, {"input": "a", "inputs": "a"},
        {"input": "a", "interventions": {}}, {"input": "a", "interventions": []}, {"input": "a", "return_tokens": True},
        {"input": "a", "interventions": [{"kind": "head_off"}]},
        {"input": "a", "interventions": [{"kind": "head_uniform", "layer": 0, "head": 0}]},
    ],
    "/predict": [
        {}, [], {"inputs": None}, {"inputs": 1}, {"inputs": []}, {"inputs": ["a", None]}, {"inputs": "a", "more": 1},
        {"inputs": "a", "parameters": None}, {"inputs": "a", "parameters": 1}, {"inputs": "a", "parameters": {"x": 1}},
        {"inputs": "a", "parameters": {"top_k": 0}}, {"inputs": "a", "parameters": {"top_k": "1"}},
        {"inputs": "a", "parameters": {"function_to_apply": "tanh"}}, {"inputs": "a", "truncate": "right"},
        {"inputs": "a", "raw_scores": 1},
    ],
}


def check_bodies(contract: Contract, service: Service):
    for path, bodies in BODIES.items():
        validator = contract.validator(contract.body_schema(path), strict=False)
        for body in bodies:
            status = contract.check("POST", path, service.ask("POST", path, json.dumps(body)))
            assert (status == 200) == validator.is_valid(body), f"POST {path} {json.dumps(body)}: {status}"


def check_gets(contract: Contract, service: Service):
    for method, path, operation in list(contract.operations()):
        if method != "GET":
            continue
        answer = service.ask("GET", path)
        expect(contract, 200, "GET", path, answer)
        status, headers, content = service.ask("HEAD", path)
        assert (status, content) == (200, b""), f"HEAD {path}: {status}"
        assert headers["Content-Type"] == answer[1]["Content-Type"], f"HEAD {path}: another type"
        if "304" in operation["responses"]:
            expect(contract, 304, "GET", path, service.ask("GET", path, headers={"If-None-Match": answer[1]["ETag"]}))
        if "406" in operation["responses"]:
            expect(contract, 406, "GET", path, service.ask("GET", path, headers={"Accept": "image/png"}))


def check_refusals(contract: Contract, service: Service):
    """What any path answers before its handler is asked."""
    for method, path, operation in list(contract.operations()):
        heads = {
            400: f"{method} {path} HTTP/1.1\r\n\r\n",
            414: f"{method} {path}?{'a' * 4000} HTTP/1.1\r\nHost: a\r\n\r\n",
            431: f"{method} {path} HTTP/1.1\r\nHost: a\r\n{''.join(f'X-{i}: 1{chr(13)}{chr(10)}' for i in range(70))}\r\n",
            505: f"{method} {path} HTTP/3.0\r\nHost: a\r\n\r\n",
        }
        if method == "POST":
            head = f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            heads |= {
                411: head + "\r\n",
                413: head + "Content-Length: 100000000\r\n\r\n",
                415: f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{{}}",
                417: head + "Content-Length: 2\r\nExpect: the-moon\r\n\r\n{}",
            }
            expect(contract, 406, method, path, service.ask(method, path, "{}", {**JSON, "Accept": "text/html"}))
            expect(contract, 422, method, path, service.ask(method, path, contract.body(path, "")))
            long = contract.body(path, "It was not bad at all, and nobody who saw it was sorry.")
            expect(contract, 504, method, path, service.ask(method, path, long, {**JSON, "X-Timeout-Ms": "1"}))
        for status, request in heads.items():
            if str(status) in operation["responses"]:
                expect(contract, status, method, path, service.send(request))
        status, headers, content = service.ask("DELETE", path)
        assert status == 405 and method in headers["Allow"], f"DELETE {path}: {status}"
        problem = {"$ref": "#/components/schemas/Problem"}
        contract.validator(problem, strict=True).validate(json.loads(content))
        assert service.ask("OPTIONS", path)[0] == 204, f"OPTIONS {path}"


def check_timeouts(contract: Contract, service: Service):
    """One connection a path, all at once: each takes the whole time that a head or a body has."""

    def wait(method: str, path: str):
        if "408" not in contract.document["paths"][path][method.lower()]["responses"]:
            return
        body = "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{" if method == "POST" else "X-Slow: "
        expect(contract, 408, method, path, service.send(f"{method} {path} HTTP/1.1\r\nHost: a\r\n{body}"))

    together([lambda method=method, path=path: wait(method, path) for method, path, _ in contract.operations()])


def together(calls):
    failures = []

    def run(call):
        try:
            call()
        except Exception as failure:  # noqa: BLE001 - a thread's failure is the test's
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    if failures:
        raise failures[0]


def check_faults(contract: Contract, faulty: str):
    posts = [path for method, path, _ in contract.operations() if method == "POST"]
    for fault, status in {"throw": 500, "nan": 500, "overloaded": 503, "draining": 503, "loading": 503}.items():
        with Service(faulty, fault) as service:
            for path in posts:
                expect(contract, status, "POST", path, service.ask("POST", path, contract.body(path, "not bad")))
            if fault == "loading":
                for path in ("/readyz", "/health", "/v1/info"):
                    expect(contract, 503, "GET", path, service.ask("GET", path))
    with Service(faulty, "stuck") as service:
        for path in posts:
            answer = service.ask("POST", path, contract.body(path, "not bad"), {**JSON, "X-Timeout-Ms": "50"})
            expect(contract, 504, "POST", path, answer)
        expect(contract, 503, "GET", "/livez", service.ask("GET", "/livez"))


def check_hosts(contract: Contract, server: str):
    with Service(server, "--port", "0", "--allowed-host", "notbad.example") as service:
        for method, path, operation in list(contract.operations()):
            if "403" in operation["responses"]:
                body = "{}" if method == "POST" else None
                expect(contract, 403, method, path, service.ask(method, path, body))


def check_all_provoked(contract: Contract):
    missing = [
        f"{method} {path} {status}"
        for method, path, operation in contract.operations()
        for status in operation["responses"]
        if (method, path, int(status)) not in contract.provoked
    ]
    assert not missing, "in the contract, but never seen: " + ", ".join(missing)


def main(bin_dir: str, faulty: str):
    start = time.monotonic()
    server = str(pathlib.Path(bin_dir) / "notbad-server")
    with Service(server, "--port", "0") as service:
        contract = Contract(json.loads(service.ask("GET", "/openapi.json")[2]))
        version = json.loads(service.ask("GET", "/v1/info")[2])["build"]["version"]
        assert contract.document["info"]["version"] == version, f"openapi.json is not of version {version}"
        check_gets(contract, service)
        check_examples(contract, service)
        check_bodies(contract, service)
        check_refusals(contract, service)
        check_timeouts(contract, service)
    check_faults(contract, faulty)
    check_hosts(contract, server)
    check_all_provoked(contract)
    print(f"{len(contract.provoked)} answers of the contract seen in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
