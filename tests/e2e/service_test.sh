#!/usr/bin/env bash
# service_test.sh BIN_DIR: the main job with the shipped weights over a real socket, and the programs' exit codes.
set -euo pipefail
bin=$(readlink -f "$1")
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/server_process.sh"

# From a foreign working directory: model and page are found all the same.
cd /
start_server "$bin/notbad-server" --port 0
[ "$(curl -s -o /dev/null -w '%{http_code}' "$url/livez")" = 200 ] || fail "livez is not 200"
[ "$(curl -s -o /dev/null -w '%{http_code}' "$url/readyz")" = 200 ] || fail "readyz is not 200"
curl -sf "$url/" -o "$scratch/page.html" || fail "the page is not there"
grep -q '<script type="module"' "$scratch/page.html" || fail "the page has no script"

curl -sf "$url/v1/classify" -H 'Content-Type: application/json' -o "$scratch/answer.json" \
  -d '{"inputs":"The movie was not bad","attention":{"mode":"full"},"return_tokens":true}'
python3 - "$scratch/answer.json" <<'PYTHON' || fail "the example's answer is wrong (above)"
import json, sys
result = json.load(open(sys.argv[1], encoding="utf-8"))["results"][0]
assert result["label"] == "positive", result["label"]
assert abs(sum(result["probabilities"].values()) - 1) < 1e-5, result["probabilities"]
words = [token["text"] for token in result["tokens"] if not token["special"]]
assert words == ["The", "movie", "was", "not", "bad"], words
assert [cue["text"] for cue in result["negation"]["cues"]] == ["not"], result["negation"]
length = len(result["tokens"])
rows = [row for layer in result["attention"]["weights"] for head in layer for row in head]
assert len(rows) >= length and all(len(row) == length for row in rows), (len(rows), length)
worst = max(abs(sum(row) - 1) for row in rows)
assert worst <= 1e-3, f"an attention row is {worst} away from 1"
PYTHON

# Switching a head off is a real experiment: some head moves the logits of the example, and each leaves its own trace.
python3 - "$url" <<'PYTHON' || fail "interventions do nothing to the example (above)"
import json, sys, urllib.request

def difference(interventions):
    body = json.dumps({"inputs": "The movie was not bad", "interventions": interventions}).encode()
    request = urllib.request.Request(sys.argv[1] + "/v1/classify", body, {"Content-Type": "application/json"})
    logits = json.load(urllib.request.urlopen(request, timeout=30))["results"][0]["logits"]
    return logits["positive"] - logits["negative"]

shape = json.load(urllib.request.urlopen(sys.argv[1] + "/v1/info", timeout=30))["config"]
plain = difference([])
effects = [plain - difference([{"kind": "head_off", "layer": layer, "head": head}])
           for layer in range(shape["num_layers"]) for head in range(shape["num_heads"])]
assert max(map(abs, effects)) > 0.1, effects
assert len(set(effects)) == len(effects), "two heads have the same effect to the last bit"
assert difference([{"kind": "cut", "layer": 0, "head": 0, "from": 5, "to": 4}]) != plain
PYTHON

# What /v1/explain says is what the single requests say: the texts of its square, the heads that it switches off.
python3 - "$url" <<'PYTHON' || fail "the explanation of the example is wrong (above)"
import json, sys, urllib.request

def ask(path, **body):
    request = urllib.request.Request(sys.argv[1] + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request, timeout=30))

def f(text, **options):
    logits = ask("/v1/classify", inputs=text, **options)["results"][0]["logits"]
    return logits["positive"] - logits["negative"]

text = "The movie was not bad"
answer = ask("/v1/explain", input=text)
cue, = answer["negation"]["cues"]
assert cue["text"] == "not" and cue["target"]["text"] == "bad", cue
square = {row: {cell["text"]: cell["f"] for cell in cells.values()} for row, cells in cue["square"].items()}
assert list(square["with"]) == [text, "The movie was not good"], square
assert list(square["without"]) == ["The movie was bad", "The movie was good"], square
for cells in square.values():
    for quoted, value in cells.items():
        assert abs(value - f(quoted)) < 1e-3, (quoted, value, f(quoted))
assert cue["interaction"] > 1, cue["interaction"]
assert answer["negation"]["flip"]["text"] == "The movie was bad", answer["negation"]["flip"]
assert abs(answer["words"][3]["effect"] - (f(text) - f("The movie was bad"))) < 1e-3, answer["words"]
for head in answer["heads"][::7]:
    off = [{"kind": "head_off", "layer": head["layer"], "head": head["head"]}]
    effect = f(text) - f(text, interventions=off)
    on_twin = f("The movie was bad") - f("The movie was bad", interventions=off)
    assert abs(head["effect"] - effect) < 1e-3, (head, effect)
    assert abs(head["negation_effect"] - (effect - on_twin)) < 1e-3, (head, effect, on_twin)
assert -1 <= answer["agreement"]["tau"] <= 1 and answer["agreement"]["n"] == 5, answer["agreement"]
assert answer["usage"]["passes"] > 2 * len(answer["heads"]), answer["usage"]
PYTHON

while IFS='|' read -r expected sentence; do
  label=$(python3 -c 'import json, sys; print(json.dumps({"inputs": sys.argv[1]}))' "$sentence" |
    curl -sf "$url/v1/classify" -H 'Content-Type: application/json' -d @- |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["results"][0]["label"])')
  [ "$label" = "$expected" ] || fail "'$sentence' is $label, expected $expected"
done <<'SENTENCES'
negative|The movie was bad
positive|The movie was not bad
positive|The movie was good
negative|The movie was not good
positive|I never enjoyed a film more
positive|It is not without charm
negative|Nothing about this works
SENTENCES

port=${url##*:}
expect_exit 4 "$port" "$bin/notbad-server" --port "$port"
stop_server
[ "$exit_code" -eq 0 ] || fail "SIGTERM gave exit code $exit_code"
if curl -s --max-time 5 "$url/livez" >/dev/null; then fail "the port still answers after SIGTERM"; fi

expect_exit 2 -- "$bin/notbad-server" --no-such-flag
expect_exit 2 port "$bin/notbad-server" --port 70000
expect_exit 3 "$scratch/nowhere" "$bin/notbad-server" --port 0 --model "$scratch/nowhere"
expect_exit 0 '[0-9]+\.[0-9]+' "$bin/notbad-server" --version
expect_exit 0 'classify' "$bin/notbad" --help
# What a newcomer types who takes the file for the text.
expect_exit 2 'No such file.*notbad show TEXT' "$bin/notbad" classify "The movie was not bad"

printf 'The movie was not bad\n\nNothing about this works\n' >"$scratch/lines"
code=0
"$bin/notbad" classify "$scratch/lines" >"$scratch/labels" || code=$?
[ "$code" -eq 1 ] || fail "notbad classify with an empty line: exit code $code, expected 1"
python3 - "$scratch/labels" <<'PYTHON' || fail "notbad classify's lines are wrong (above)"
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
assert lines[0]["label"] == "positive" and lines[2]["label"] == "negative", lines
assert lines[1]["error"]["code"] == "empty_input", lines
PYTHON
echo "1 passed, 0 failed"
