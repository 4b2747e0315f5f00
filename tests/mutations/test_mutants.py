"""The mutants are the same in each run, spread over the packages, and valid Python."""

import ast

import pytest

from tests.mutations.mutants import COUNT, LEAST, PACKAGES, ROOT, chosen, planted


@pytest.mark.full
def test_mutants() -> None:
    mutants = chosen()
    assert mutants == chosen()
    assert len(mutants) == COUNT
    packages = [mutant.file.split("/")[1] for mutant in mutants]
    assert all(packages.count(name) >= LEAST for name in PACKAGES)
    for mutant in mutants:
        source = (ROOT / mutant.file).read_bytes()
        assert ast.dump(ast.parse(planted(source, [mutant]))) != ast.dump(ast.parse(source))
