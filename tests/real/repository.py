"""A git repository with a history, the same bytes every time: what code browsers show."""

import os
import random
import subprocess
from pathlib import Path

FILES = (
    *("README.txt", "Makefile", "config.yml", "src/list.c"),
    *("docs/guide.html", "scripts/setup.exe", "src/Node.js"),
)
"""Names that are HTML pages in a code browser, whatever they look like."""
NOUNS = ["list", "node", "queue", "parser", "buffer", "token", "option", "socket", "timer", "cache"]
VERBS = ["add", "fix", "rename", "split", "merge", "drop", "check", "document", "test"]


def make(path: Path, commits: int = 100) -> None:
    """Make a repository with so many commits on ``master``, and a tag after the first 60 %."""
    tagged = commits * 6 // 10
    path.mkdir(parents=True)
    git(path, "init", "--quiet", "--initial-branch=master")
    chance = random.Random("repository")
    for number in range(commits):
        for name in FILES if number == 0 else chance.sample(FILES, chance.randint(1, 3)):
            _append(path / name, number, chance)
        git(path, "add", "--all")
        subject = f"{chance.choice(VERBS)} {chance.choice(NOUNS)} {chance.choice(NOUNS)}"
        date = f"2024-{1 + number // 28:02d}-{1 + number % 28:02d}T12:00:00Z"
        git(path, "commit", "--quiet", "--message", f"{subject} ({number})", date=date)
        if number == tagged:
            message = f"Release {number}"
            git(path, "tag", "--annotate", "--message", message, f"v{number}", date=date)
    (path / ".git" / "description").write_text("A list of things\n")


def git(path: Path, *arguments: str, date: str = "2024-01-01T00:00:00Z") -> str:
    """What a git command prints, run by a made-up author."""
    who = {f"GIT_{role}_NAME": "Ada" for role in ("AUTHOR", "COMMITTER")}
    who |= {f"GIT_{role}_EMAIL": "ada@example.com" for role in ("AUTHOR", "COMMITTER")}
    who |= {f"GIT_{role}_DATE": date for role in ("AUTHOR", "COMMITTER")}
    who |= {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    return subprocess.run(
        ["git", *arguments],
        cwd=path,
        env={**os.environ, **who},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def commits(path: Path) -> list[str]:
    """The hashes of all commits, the newest first."""
    return git(path, "log", "--format=%H").split()


def files(path: Path) -> list[str]:
    """The paths of the newest version, directories included."""
    return git(path, "ls-tree", "-r", "-t", "--name-only", "HEAD").split()


def _append(file: Path, number: int, chance: random.Random) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    words = " ".join(chance.choices(NOUNS + VERBS, k=8))
    with file.open("a") as stream:
        stream.write(f"{words} {number}\n")
