"""Fails where a README.md links to what is not there: check_links.py ROOT

A relative link must lead to a file or folder of the project. `#L12` or `#L12-L15` must lie inside that file, and where
the link's text is an identifier it must occur at most three lines away, so that links to lines cannot rot unseen. Any
other anchor must be a heading of the document.
"""

import pathlib
import re
import sys

LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:")
LINES = re.compile(r"L(\d+)(?:-L(\d+))?")
IDENTIFIER = re.compile(r"`?(?:\w+(?:::|\.))*([A-Za-z_]\w*)(?:\(\))?`?")
NEAR = 3  # lines that a link may be off by


def readmes(root: pathlib.Path) -> list[pathlib.Path]:
    ignored = {"build", "node_modules"}
    return sorted(
        file
        for file in root.rglob("README.md")
        if not any(part in ignored or part.startswith(".") for part in file.relative_to(root).parts)
    )


def prose(text: str) -> str:
    """The text with fenced blocks blanked, line for line."""
    is_fenced = False
    lines = []
    for line in text.splitlines():
        is_fence = line.lstrip().startswith("```")
        lines.append("" if is_fence or is_fenced else line)
        is_fenced ^= is_fence
    return "\n".join(lines)


def slugs(text: str) -> set[str]:
    headings = re.findall(r"^#+\s+(.*?)\s*$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def anchor_complaint(file: pathlib.Path, anchor: str, label: str) -> str | None:
    text = file.read_text(encoding="utf-8")
    lines = LINES.fullmatch(anchor)
    if lines is None:
        return None if anchor in slugs(text) else f"no heading makes the anchor #{anchor}"
    first, last = int(lines[1]), int(lines[2] or lines[1])
    content = text.splitlines()
    if not 1 <= first <= last <= len(content):
        return f"it has {len(content)} lines"
    identifier = IDENTIFIER.fullmatch(label)
    if identifier is None:
        return None
    near = "\n".join(content[max(0, first - 1 - NEAR) : last + NEAR])
    if re.search(rf"\b{identifier[1]}\b", near):
        return None
    where = [str(number) for number, line in enumerate(content, 1) if re.search(rf"\b{identifier[1]}\b", line)]
    return f"{identifier[1]} is not near, but " + (f"in line {', '.join(where)}" if where else "nowhere in it")


def complaints(root: pathlib.Path, readme: pathlib.Path) -> list[str]:
    text = prose(readme.read_text(encoding="utf-8"))
    found = []
    for link in LINK.finditer(text):
        label, target = link.groups()
        if EXTERNAL.match(target):
            continue
        path, _, anchor = target.partition("#")
        file = (readme.parent / path).resolve() if path else readme
        where = f"{readme.relative_to(root)}:{text.count(chr(10), 0, link.start()) + 1}: {target}: "
        if not file.exists() or not file.is_relative_to(root):
            found.append(where + "not a file of the project")
        elif anchor and (complaint := anchor_complaint(file, anchor, label)):
            found.append(where + complaint)
    return found


def main(root: pathlib.Path) -> int:
    found = [complaint for readme in readmes(root) for complaint in complaints(root, readme)]
    print("\n".join(found) or "every link of every README leads somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
