import assert from "node:assert/strict";
import { test } from "node:test";
import { to_csv } from "../../../web/src/lib/csv.js";

test("Commas, quotes and breaks stand between quotes; nothing is an empty field", () => {
  assert.equal(
    to_csv([
      ["a", "b_percent"],
      ['x, "y"', 1.5],
      ["two\nlines", null],
    ]),
    'a,b_percent\r\n"x, ""y""",1.5\r\n"two\nlines",\r\n',
  );
});
