import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { curl_line } from "../../../web/src/lib/shell.js";

test("A shell hands curl the body letter by letter", () => {
  const body = { inputs: `it's "not" $HOME \`id\` \\ bad\n` };
  const line = curl_line("http://127.0.0.1:1", "/v1/classify", body);

  const printed =
    execFileSync("sh", ["-c", line.replace(/^curl/, "printf '%s\\n'")], { encoding: "utf8" });

  assert.equal(printed.split("\n")[5], JSON.stringify(body));
});
