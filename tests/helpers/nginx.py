"""A real nginx."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.helpers.crawls import DEADLINE, wait_for
from tests.helpers.programs import answers, free_port


class Nginx:
    """An nginx on a free port of 127.0.0.1, with these directives in its ``server``."""

    def __init__(self, directory: Path, directives: str) -> None:
        self.directives = directives
        """Those of the next start."""
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self._directory = directory
        self._errors = directory / "nginx.log"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        configuration = self._directory / "nginx.conf"
        configuration.write_text(
            f"daemon off; master_process off; pid {self._directory}/nginx.pid;\n"
            f"error_log {self._errors}; events {{}}\n"
            f"http {{ access_log off; proxy_temp_path {self._directory};\n"
            f"server {{ listen 127.0.0.1:{self._port};\n{self.directives} }} }}\n"
        )
        command = ["nginx", "-c", str(configuration), "-e", str(self._errors)]
        self._process = subprocess.Popen(command)
        wait_for(self._answers)

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(DEADLINE)

    def __enter__(self) -> Nginx:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _answers(self) -> bool:
        assert self._process.poll() is None, self._errors.read_text()
        return answers(self._port)
