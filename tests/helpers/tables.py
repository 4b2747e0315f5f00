"""Tests over tables of cases that need nothing but the process: each is one test of pytest."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

Test = Callable[..., None]


def for_each(names: str, cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test once for each case, as ``parametrize`` does, and fail with all that failed.

    For cases of microseconds, most of whose time would be that of pytest. ``names``: parameters,
    with commas between them; of several ones, each case is a sequence of their values.
    """
    parameters = [name.strip() for name in names.split(",")]

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            failures = []
            for case in cases:
                values = [case] if len(parameters) == 1 else case
                try:
                    test(**dict(zip(parameters, values, strict=True)), **fixtures)
                except Exception as error:  # noqa: BLE001 - all of them are reported
                    failures.append((case, error))
            if failures:
                words = "\n\n".join(f"{case!r:.2000}:\n{error!r:.2000}" for case, error in failures)
                raise AssertionError(words) from failures[0][1]

        signature = inspect.signature(test)
        others = [each for name, each in signature.parameters.items() if name not in parameters]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return run

    return decorate
