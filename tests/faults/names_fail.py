"""Settings of a crawl whose DNS server fails in the middle; given with SITEMAPGEN_PROFILE.

``localhost`` resolves while a file exists, and not at all while it does not.
"""

import os
import socket
from pathlib import Path
from typing import Any

from twisted.internet import _resolver

FILE = Path(os.environ["RESOLVES"])
DNSCACHE_ENABLED = False


def _failing(resolve: Any) -> Any:
    def resolve_(host: Any, *arguments: Any, **options: Any) -> Any:
        if host in ("localhost", b"localhost") and not FILE.exists():
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        return resolve(host, *arguments, **options)

    return resolve_


socket.gethostbyname = _failing(socket.gethostbyname)
socket.getaddrinfo = _failing(socket.getaddrinfo)
_resolver.getaddrinfo = socket.getaddrinfo
