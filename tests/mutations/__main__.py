"""``python -m tests.mutations``: what the tests find of the mutants, as a table in README.md."""

import argparse
import json
import subprocess
import tempfile
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from tests.mutations.mutants import ROOT, Mutant, chosen
from tests.mutations.suite import (
    NEAR_DEADLINE,
    NO_END,
    TEST_DEADLINE,
    TIER_DEADLINE,
    TIERS,
    Tree,
    near,
    only,
    tier,
)

README = Path(__file__).with_name("README.md")
RESULTS = "\n## Results\n\n"
FILE = Path(__file__).with_name("results.json")
KEPT = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {"runs": {}, "mutants": []}
"""Of each mutant the test that ``found`` it, its ``tier``, and a ``remark`` by hand."""
Row = dict[str, str | int]
ROWS: dict[Mutant, Row] = {}


def load() -> None:
    """Give each mutant of this version of the code what is known of it."""
    known = {(row["file"], row["before"], row["after"]): row for row in KEPT["mutants"]}
    nothing = {"tier": "", "found": "", "remark": ""}
    for mutant in chosen():
        old = known.get((mutant.file, mutant.before, mutant.after), nothing)
        ROWS[mutant] = {**old, **dict(zip(Mutant._fields[:5], mutant))}


def save(run: str = "") -> None:
    if run:
        words = ["git", "rev-parse", "--short", "HEAD"]
        commit = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        KEPT["runs"][run] = (
            f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC, commit {commit.strip()}"
        )
    FILE.write_text(json.dumps({**KEPT, "mutants": list(ROWS.values())}, indent=1) + "\n", "utf-8")


def record(mutant: Mutant, target: str, test: str) -> None:
    ROWS[mutant] |= {"tier": target if test else "", "found": test}
    print(f"{mutant.file}:{mutant.line}: {test or 'not found'}", flush=True)
    save()


def run_near(tree: Tree, mutant: Mutant) -> None:
    """Run the tests near a mutant, to the first one that fails with it; it passes without it."""
    commands = near(mutant.file)
    failed = tree.run([mutant], commands, NEAR_DEADLINE)
    again = commands if failed == [NO_END] else only(failed)
    is_found = failed and not tree.run((), again, NEAR_DEADLINE)
    record(mutant, TIERS[0], failed[0] if is_found else "")


def run_jointly(tree: Tree, mutants: Sequence[Mutant], target: str) -> None:
    """Run a tier with mutants in one tree, attribute its first failures, repeat without the found.

    Tests that no mutant alone makes fail are left out of the repetitions.
    """
    while mutants and (failed := tree.run(mutants, tier(target), TIER_DEADLINE)):
        print(f"make {target}, {len(mutants)} mutants: {', '.join(failed)}", flush=True)
        if failed == [NO_END] and len(mutants) == 1:
            return record(mutants[0], target, NO_END)
        if failed == [NO_END]:
            middle = len(mutants) // 2
            run_jointly(tree, mutants[:middle], target)
            return run_jointly(tree, mutants[middle:], target)
        before, left_out = mutants, len(tree.left_out)
        for test in failed:
            mutants = attribute(tree, mutants, target, test)
        if mutants == before and len(tree.left_out) == left_out:
            tree.left_out += failed
    return None


def attribute(tree: Tree, mutants: Sequence[Mutant], target: str, test: str) -> Sequence[Mutant]:
    """Return the mutants that a test does not find, which has to pass without any."""
    while tree.run(mutants, only([test]), TEST_DEADLINE):
        found = tree.culprit(mutants, test)
        if not found or tree.run((), only([test]), TEST_DEADLINE):
            tree.left_out.append(test)
            break
        record(found, target, test)
        mutants = [mutant for mutant in mutants if mutant is not found]
    return mutants


def table() -> str:
    tiers = [row["tier"] for row in ROWS.values()]
    counts = [f"found by `make {target}`: {tiers.count(target)}" for target in TIERS]
    runs = [f"{run}: {when}" for run, when in KEPT["runs"].items()]
    lines = [f"- {each}" for each in (*runs, *counts, f"found by none: {tiers.count('')}")]
    lines += ["", "| | mutant | found by |", "|---|---|---|"]
    for number, (mutant, row) in enumerate(ROWS.items(), 1):
        words = [mutant.before, mutant.after]
        change = "<br>".join(f"`{text[:117]}...`" if text[120:] else f"`{text}`" for text in words)
        by = f"`make {row['tier']}`: `{row['found']}`" if row["found"] else "none"
        cells = f"{mutant.file}:{mutant.line}<br>{change}", f"{by}. {row['remark']}".strip(". ")
        lines.append(
            f"| {number} | {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("number", nargs="*", type=int, help="only the tests near these mutants")
    parser.add_argument("--list", action="store_true", help="only print the table")
    parser.add_argument("--joint", action="store_true", help="only what was not found so far")
    given = parser.parse_args()
    load()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        tree = None if given.list else Tree(Path(directory))
        if tree and not given.joint:
            for number in given.number or range(1, len(ROWS) + 1):
                run_near(tree, list(ROWS)[number - 1])
            save("" if given.number else "the tests near each mutant")
        for target in TIERS if tree and not given.number else ():
            if tier(target):
                left = [mutant for mutant, row in ROWS.items() if not row["found"]]
                run_jointly(tree, left, target)
                save(f"`make {target}` with all others in one tree")
    print(table())
    README.write_text(README.read_text("utf-8").partition(RESULTS)[0] + RESULTS + table(), "utf-8")


if __name__ == "__main__":
    main()
