"""A real Redis on a port of its own, workers, and a way to Redis that is slow."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.helpers.crawls import DEADLINE, IMPATIENT, start, wait_for
from tests.helpers.programs import answers, free_port

SERVER = shutil.which("redis-server")
needs_redis = pytest.mark.skipif(SERVER is None, reason="redis-server is not on PATH")
LEASE = 3.0
"""Seconds after which a worker counts as dead."""
QUICK = (*IMPATIENT, "-s", f"SITEMAPGEN_CLUSTER_LEASE={LEASE}")


class Redis:
    """A server of Redis without persistence; ``stop`` loses all it has."""

    def __init__(self, directory: Path, *options: str, password: str = "", tls: bool = False):
        self.port = free_port()
        self.password = password
        self.scheme = "rediss" if tls else "redis"
        self.directory = directory
        listen = ["--port", "0", "--tls-port"] if tls else ["--port"]
        self.command = [
            *(str(SERVER), *listen, str(self.port), "--save", "", "--appendonly", "no"),
            *("--bind", "127.0.0.1", "--dir", str(directory), "--daemonize", "no", *options),
            *(("--requirepass", password) if password else ()),
        ]
        self.begin()

    def begin(self) -> None:
        """Start it, empty."""
        with (self.directory / "redis.log").open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log)
        wait_for(self._answers)

    def _answers(self) -> bool:
        assert self.process.poll() is None, (self.directory / "redis.log").read_text()
        return answers(self.port)

    @property
    def url(self) -> str:
        """With the password."""
        login = f":{self.password}@" if self.password else ""
        return f"{self.scheme}://{login}127.0.0.1:{self.port}/0"

    @cached_property
    def client(self) -> Any:
        return redis.Redis(port=self.port, password=self.password or None, protocol=2)

    def stop(self) -> None:
        if "client" in vars(self):
            self.client.close()
        self.process.kill()
        self.process.wait()


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[Redis]:
    server = Redis(tmp_path)
    yield server
    server.stop()


class Workers:
    """Workers in processes of their own; those that are left end with the test."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.processes: list[subprocess.Popen[bytes]] = []

    def begin(self, url: str, *more: str, now: float | None = None) -> subprocess.Popen[bytes]:
        """Start a worker; if wanted, with another clock."""
        command = [sys.executable, "-m", "scrapy", "crawl", "worker"]
        command += ["-s", f"SITEMAPGEN_CLUSTER={url}", *more]
        process = start(command, self.log(len(self.processes)), now=now)
        self.processes.append(process)
        return process

    def log(self, number: int) -> Path:
        return self.directory / f"worker-{number}.log"

    def text(self, number: int = 0) -> str:
        """The log of a worker."""
        return self.log(number).read_text("utf-8", "replace")

    def codes(self) -> list[int]:
        """The exit codes of all, when they have ended."""
        return [process.wait(DEADLINE) for process in self.processes]

    def has_joined(self, number: int = 0) -> bool:
        assert self.processes[number].poll() is None, self.text(number)
        return "Taking part" in self.text(number)

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def workers(tmp_path: Path) -> Workers:
    return Workers(tmp_path)


class SlowWay:
    """Passes bytes on to a port, each piece after a delay in seconds."""

    def __init__(self, port: int, delay: float) -> None:
        self.target, self.delay = port, delay
        self._pairs: list[socket.socket] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def stop(self) -> None:
        for one in (self._socket, *self._pairs):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                server = socket.create_connection(("127.0.0.1", self.target))
                self._pairs += [client, server]
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=self._pass, args=pair, daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                time.sleep(self.delay)
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


class Monitor:
    """Everything that is sent to a server of Redis: the command MONITOR."""

    def __init__(self, server: Redis, path: Path) -> None:
        self.path = path
        environment = {**os.environ, "REDISCLI_AUTH": server.password}
        with path.open("wb") as file:
            self._process = subprocess.Popen(
                ["redis-cli", "-p", str(server.port), "monitor"], stdout=file, env=environment
            )
        wait_for(lambda: path.stat().st_size > 0)

    def stop(self) -> bytes:
        """Return what was sent."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait()
        return self.path.read_bytes()
