"""Tests over tables of cases that need nothing but the process: each is one test of pytest."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

Test = Callable[..., None]


def for_each(*cases: Any) -> Callable[[Test], Test]:
    """Run a test once for each case, as ``parametrize`` does, and fail with all that failed.

    For cases of microseconds, most of whose time would be that of pytest. A case is the value of
    the first parameter of the test, or a tuple of those of the first ones; of several tables the
    lowest has the first. With ``tmp_path`` each has an empty directory of its own.
    """
    rows = [case if type(case) is tuple else (case,) for case in cases]

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)
        names = [*signature.parameters][: len(rows[0]) if rows else 1]

        @functools.wraps(test)
        def run(**others: Any) -> None:
            failures = []
            for number, row in enumerate(rows):
                own = {}
                if "tmp_path" in others:
                    own["tmp_path"] = others["tmp_path"] / str(number)
                    own["tmp_path"].mkdir()
                try:
                    test(**dict(zip(names, row, strict=True)), **{**others, **own})
                except Exception as error:  # noqa: BLE001 - all of them are reported
                    failures.append((row, error))
            if failures:
                words = "\n\n".join(f"{row!r:.2000}:\n{error!r:.2000}" for row, error in failures)
                raise AssertionError(words) from failures[0][1]

        others = [each for name, each in signature.parameters.items() if name not in names]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return run

    return decorate
