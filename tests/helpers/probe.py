"""What a process is, printed as JSON: ``python -m tests.helpers.probe``.

The first argument is how it ends: ``0`` and other exit codes, ``raise``, ``kill``, ``sleep``.
"""

import json
import locale
import os
import resource
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path


def look() -> dict[str, object]:
    """Return what a command could depend on."""
    return {
        "arguments": sys.argv,
        "command line": sys.orig_argv,
        "executable": sys.executable,
        "flags": str(sys.flags),
        "paths": sys.path,
        "main": [__name__, sys.modules["__main__"].__dict__.get("__file__")],
        "environment": dict(os.environ),
        "directory": str(Path.cwd()),
        "temporary files": tempfile.gettempdir(),
        "time zone": time.tzname,
        "locale": locale.setlocale(locale.LC_ALL),
        "encodings": [
            (stream.encoding, stream.errors, stream.line_buffering, stream.isatty())
            for stream in (sys.stdin, sys.stdout, sys.stderr)
        ],
        "input": sys.stdin.read(),
        "signals": {number: str(signal.getsignal(number)) for number in signal.valid_signals()},
        "blocked": list(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
        "warnings": [str(each) for each in warnings.filters],
        "descriptors": [each.name for each in Path("/proc/self/fd").iterdir()],
        "threads": len([*Path("/proc/self/task").iterdir()]),
        "group": [os.getpgid(0), os.getsid(0)],
        "limits": {
            name: resource.getrlimit(getattr(resource, name))
            for name in dir(resource)
            if name.startswith("RLIMIT_")
        },
        "order of a set": list(set(map(str, range(100)))),
        "umask": os.umask(0o22),
        "year": time.gmtime().tm_year,
    }


def end(how: str) -> None:
    """End in a way that is asked for."""
    if how == "raise":
        raise LookupError(how)
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "sleep":
        time.sleep(60)
    sys.exit(int(how))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(look()))
    sys.stdout.flush()
    end(sys.argv[1])
