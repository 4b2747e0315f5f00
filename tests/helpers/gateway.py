"""A reverse proxy on loopback that fails as proxies do: before a request, or after it."""

import ssl
import urllib.error
import urllib.request

from tests.helpers.crawls import DEADLINE
from tests.helpers.server import Answer, Server

Fault = tuple[int, bool]
"""(status, is it forwarded first): instead of the answer, which is lost; 0 hangs up, 200 is the
answer itself, and ``NEVER`` none at all."""
NEVER = -1
SENT = ("Content-Type", "Range", "Authorization")
KEPT = ("Content-Type", "Content-Range", "Content-Length")


class Gateway(Server):
    """Forwards to a server, but for the faults of each path, which are used up in their order."""

    def __init__(
        self, target: str, faults: dict[str, list[Fault]], tls: ssl.SSLContext | None = None
    ) -> None:
        """``tls``: to be reached over TLS alone."""
        self._target = target.rstrip("/")
        self._faults = faults
        super().__init__(self._forward, tls=tls)

    def _forward(self, path: str) -> Answer:
        faults = self._faults.get(path.partition("?")[0], [])
        status, is_forwarded = faults.pop(0) if faults else (200, True)
        answer = self._ask(path) if is_forwarded else Answer()
        if status == 200:
            return answer
        if status == NEVER:
            return Answer(delay=2 * DEADLINE)
        return Answer(status=status, headers={"Retry-After": "1"})

    def _ask(self, path: str) -> Answer:
        visit = self.visits[-1]
        headers = {name: visit.headers[name] for name in SENT if name in visit.headers}
        data = visit.body if visit.method == "POST" else None
        request = urllib.request.Request(self._target + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=DEADLINE) as response:
                kept = {name: response.headers[name] for name in KEPT if name in response.headers}
                return Answer(response.read(), response.status, kept)
        except urllib.error.HTTPError as error:
            with error:
                kept = {name: error.headers[name] for name in KEPT if name in error.headers}
                return Answer(error.read(), error.code, kept)
