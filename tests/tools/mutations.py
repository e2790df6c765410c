"""Makes small wrong edits in turn and shows that the tests catch each: mutations.py [--check] [NAME...]

Works on a clone of HEAD under build/mutations, so the working tree stays as it is. A mutation replaces one
place in one file; it must build, and the test that it names must fail. tests/README.md lists them. --check
only tells, of the working tree and at once, whether each still has its place and its line in that list.
Exit code 1 where a mutation is missed, does not build or has lost its place.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "mutations"
LIST = pathlib.PurePath("tests", "README.md")
TIME_LIMIT_S = 900  # of one command
# Suite.Case, without the prefix and the number of a parametrised one.
FAILED_TEST = re.compile(r"^\[  FAILED  \] (?:\w+/)?(\w+\.\w+)", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Mutation:
    name: str
    file: str
    right: str
    wrong: str
    target: str  # test program with few sources, to be built soon
    caught_by: str  # its test that must fail


# Those of one program and one file stand together: what was rebuilt for one serves the next.
MUTATIONS = (
    Mutation(
        name="heads-swapped",
        file="core/model/multi_head_attention.cpp",
        right="result.cols_from(head * d_k, d_k)",
        wrong="result.cols_from((head ^ 1) * d_k, d_k)",
        target="core_golden_test",
        caught_by="TextbookAttentionTest.WithoutMaskIsThatOfTheTwin",
    ),
    Mutation(
        name="scale-missing",
        file="core/model/multi_head_attention.cpp",
        right="const float scale = 1.0F / std::sqrt(static_cast<float>(d_k));",
        wrong="const float scale = 1.0F;",
        target="core_golden_test",
        caught_by="TextbookAttentionTest.WithoutMaskIsThatOfTheTwin",
    ),
    Mutation(
        name="mask-off-by-one",
        file="core/ops/masked_softmax.cpp",
        right="forbid(values, mask->row(row % mask->rows()));",
        wrong="forbid(values, mask->row((row + 1) % mask->rows()));",
        target="core_golden_test",
        caught_by="TextbookAttentionTest.WithCausalMaskIsThatOfTheTwin",
    ),
    Mutation(
        name="queries-and-keys-swapped",
        file="core/model/multi_head_attention.cpp",
        right="ops::matmul_transposed(q.cols_from(head * d_k, d_k), k.cols_from(head * d_k, d_k), scale,",
        wrong="ops::matmul_transposed(k.cols_from(head * d_k, d_k), q.cols_from(head * d_k, d_k), scale,",
        target="core_golden_test",
        caught_by="TextbookAttentionTest.WithoutMaskIsThatOfTheTwin",
    ),
    Mutation(
        name="residual-missing",
        file="core/model/encoder_layer.cpp",
        right="ops::add_in_place(x, attended.output);",
        wrong="std::copy(attended.output.data(), attended.output.data() + x.rows() * x.cols(), x.data());",
        target="core_golden_test",
        caught_by="EncoderGoldenTest.EveryStageIsThatOfTheTwin",
    ),
    Mutation(
        name="wrong-norm",
        file="core/model/encoder_layer.cpp",
        right="  feed_forward_norm_.forward(x);",
        wrong="  attention_norm_.forward(x);",
        target="core_golden_test",
        caught_by="EncoderGoldenTest.EveryStageIsThatOfTheTwin",
    ),
    Mutation(  # counts the blank that SentencePiece puts in front of every text
        name="spans-shifted-by-one",
        file="tokenizer/text_alignment.cpp",
        right=": rest_(text), rules_(rules) {}",
        wrong=": rest_(text), rules_(rules) {\n  chunk_.source.bytes.end = 1;\n}",
        target="tokenizer_test",
        caught_by="TokenizerSpansTest.CountBytesAndUtf16Units",
    ),
    Mutation(
        name="utf16-counted-as-code-points",
        file="tokenizer/text_alignment.cpp",
        right="chunk_.source.utf16.end += utf16_units(rest_.substr(0, bytes));",
        wrong="for (const char byte : rest_.substr(0, bytes)) {\n"
        "    if ((byte & 0xC0) != 0x80) ++chunk_.source.utf16.end;\n"
        "  }",
        target="tokenizer_test",
        caught_by="TokenizerSpansTest.CountBytesAndUtf16Units",
    ),
    Mutation(  # the total is counted after the cut, so that no text looks cut
        name="truncated-flag-dropped",
        file="tokenizer/tokenizer.cpp",
        right="  truncate(encoding.tokens, options.max_tokens - kSpecialTokens, options.truncate);\n",
        wrong="  truncate(encoding.tokens, options.max_tokens - kSpecialTokens, options.truncate);\n"
        "  encoding.total_tokens = static_cast<std::int64_t>(encoding.tokens.size()) + kSpecialTokens;\n",
        target="tokenizer_test",
        caught_by="TokenizerTest.CutsTheRightEndByDefault",
    ),
    Mutation(
        name="batch-rows-swapped",
        file="server/service/batcher.cpp",
        right="std::move(outputs[i])",
        wrong="std::move(outputs[outputs.size() - 1 - i])",
        target="service_test",
        caught_by="BatcherTest.AnswersTheSequencesOfAJobInOrder",
    ),
)


class NoVerdictError(Exception):
    """Something other than a test failed."""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    # `timeout` ends the compilers of a build too, which subprocess would leave behind.
    limited = ["timeout", str(TIME_LIMIT_S), *command]
    return subprocess.run(limited, cwd=WORK, capture_output=True, text=True, check=False)


def run_checked(*command: str) -> None:
    result = run(*command)
    if result.returncode != 0:
        said = result.stdout[-2000:] + result.stderr
        raise NoVerdictError(f"`{' '.join(command)}` ended with {result.returncode}:\n{said}")


def update_clone() -> None:
    if not (WORK / ".git").exists():
        WORK.mkdir(parents=True, exist_ok=True)
        run_checked("git", "init", "--quiet")
    run_checked("git", "fetch", "--quiet", "--depth=1", str(ROOT), "HEAD")
    run_checked("git", "reset", "--quiet", "--hard", "FETCH_HEAD")
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    run_checked("cmake", "--preset", "debug", *launcher)


def failed_tests(target: str) -> set[str]:
    jobs = str(os.cpu_count())
    run_checked("cmake", "--build", "--preset", "debug", "--target", target, "--parallel", jobs)
    tested = run(f"build/debug/tests/{target}", "--gtest_brief=1")
    failed = set(FAILED_TEST.findall(tested.stdout))
    if tested.returncode != 0 and not failed:
        raise NoVerdictError(f"{target} ended with {tested.returncode} and names no test that fails")
    return failed


def place_fault(mutation: Mutation, root: pathlib.Path) -> str | None:
    path = root / mutation.file
    count = path.read_text(encoding="utf-8").count(mutation.right) if path.is_file() else 0
    return None if count == 1 else f"{mutation.file} holds the text to replace {count} times, not once"


def missed(mutation: Mutation) -> str | None:
    """Why the mutation is not caught, or None where it is. Leaves the clone as it was."""
    path = WORK / mutation.file
    source = path.read_text(encoding="utf-8")
    path.write_text(source.replace(mutation.right, mutation.wrong), encoding="utf-8")
    try:
        failed = failed_tests(mutation.target)
    finally:
        path.write_text(source, encoding="utf-8")
    return None if mutation.caught_by in failed else f"{mutation.caught_by} passes, {len(failed)} others fail"


def verdict(mutation: Mutation) -> str | None:
    """Prints what became of the mutation; gives what is wrong, or None where it was caught."""
    start = time.monotonic()
    fault = place_fault(mutation, WORK)
    word = "STALE"
    if fault is None:
        word = "MISSED"
        try:
            fault = missed(mutation)
        except NoVerdictError as error:
            word, fault = "BROKEN", str(error)
    if fault is None:
        word = "caught"
    seconds = f"({time.monotonic() - start:.0f} s)"
    print(f"{word:7} {mutation.name:29} {fault or mutation.caught_by} {seconds}", flush=True)
    return fault


def check() -> int:
    lines = (ROOT / LIST).read_text(encoding="utf-8").splitlines()
    faults = []
    for mutation in MUTATIONS:
        if fault := place_fault(mutation, ROOT):
            faults.append(f"STALE   {mutation.name}: {fault} - mend the mutation in tests/tools/mutations.py")
        if not any(f"`{mutation.name}`" in line and f"`{mutation.caught_by}`" in line for line in lines):
            faults.append(f"MISSING {mutation.name}: no line of {LIST} gives it with {mutation.caught_by}")
    print("\n".join(faults) or f"all {len(MUTATIONS)} mutations apply and are listed")
    return 1 if faults else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Shows that the tests catch small wrong edits.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="mutations to make; all where none is named")
    parser.add_argument("--check", action="store_true", help="only look whether each still applies")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - {mutation.name for mutation in MUTATIONS}:
        parser.error(f"no mutation is called {', '.join(sorted(unknown))}; tests/README.md lists them")
    if arguments.check:
        return check()

    chosen = [mutation for mutation in MUTATIONS if not arguments.names or mutation.name in arguments.names]
    try:
        update_clone()
        for target in dict.fromkeys(mutation.target for mutation in chosen):
            if failed := failed_tests(target):
                raise NoVerdictError(f"{target} fails without any mutation: {', '.join(sorted(failed))}")
            print(f"passes  {target} without any mutation", flush=True)
    except NoVerdictError as error:
        print(error, file=sys.stderr)
        return 1
    num_missed = sum(verdict(mutation) is not None for mutation in chosen)
    print(f"{len(chosen) - num_missed} caught, {num_missed} not")
    return 1 if num_missed else 0


if __name__ == "__main__":
    sys.exit(main())
