import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const WEB = fileURLToPath(new URL("../../web/", import.meta.url));
const NOT_SERVED =
  ["CMakeLists.txt", "package.json", "assets/screenshot.png"];  // the last is of README.md
const PAGES = ["index.html", "suite.html"];

async function files_below(folder, prefix = "") {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true });
  const lists = entries.map((entry) => {
    const path = prefix + entry.name;
    return entry.isDirectory() ? files_below(folder, `${path}/`) : [path];
  });
  return (await Promise.all(lists)).flat();
}

async function listed_files() {
  const list = await readFile(join(WEB, "CMakeLists.txt"), "utf8");
  return list
    .match(/set\(NOTBAD_WEB_FILES([^)]*)PARENT_SCOPE/)[1]
    .trim()
    .split(/\s+/);
}

test("The binary embeds every file of the page and nothing else", async () => {
  const present = (await files_below(WEB)).filter((path) => !NOT_SERVED.includes(path));

  assert.deepEqual((await listed_files()).sort(), present.sort());
});

test("What the pages link to is served", async () => {
  const page = (await Promise.all(PAGES.map((name) => readFile(join(WEB, name), "utf8")))).join("");
  const links = [...page.matchAll(/(?:href|src)="\/assets\/([^"]+)"/g)].map((match) => match[1]);
  const listed = await listed_files();

  assert.ok(links.length >= 5, `only ${links.length} links`);
  assert.deepEqual(
    links.filter((link) => !listed.includes(link)),
    [],
  );
});

test("No page has an inline style, script or handler, which its policy would block", async () => {
  for (const name of PAGES) {
    const page = await readFile(join(WEB, name), "utf8");
    assert.doesNotMatch(page, /\sstyle=|<style|\son[a-z]+=|<script(?![^>]*\ssrc=)/, name);
  }
});

test("Text becomes text: no source writes markup or evaluates code", async () => {
  const sources = (await listed_files()).filter((path) => path.endsWith(".js"));
  for (const path of sources) {
    const source = await readFile(join(WEB, path), "utf8");
    assert.doesNotMatch(
      source,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
      path,
    );
  }
});
