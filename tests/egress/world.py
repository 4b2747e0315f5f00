"""A network of its own, in which any IP address is on this machine: real names, real connections.

``python -m tests.egress.world`` enters it (Linux: a user, a network and a mount namespace) and runs
one of ``scenarios.py``, whose result it prints as JSON. Nothing of the crawler is replaced: names
are resolved by a DNS server through /etc/resolv.conf, every IPv4 and IPv6 address has a route to
loopback, and a packet socket records where connections are tried.
"""

import ipaddress
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

DNS = "127.0.0.53"
ENTER = ("unshare", "--user", "--map-root-user", "--net", "--mount")


def missing() -> str:
    """Why there can be no such network here; empty if there can."""
    if not all(map(shutil.which, ("unshare", "ip"))):
        return "needs unshare and ip (Linux; util-linux and iproute2)"
    tried = subprocess.run(
        [*ENTER, "ip", "link", "set", "lo", "up"], capture_output=True, text=True, check=False
    )
    return f"no network namespace: {tried.stderr.strip()}" if tried.returncode else ""


def build() -> None:
    """Give this process, in its namespaces, all addresses, and a resolver configuration."""
    for command in (
        "ip link set lo up",
        "ip route add local 0.0.0.0/0 dev lo",
        "ip -6 route add local ::/0 dev lo",
        # WebRTC looks for a network card
        "ip link add card type veth peer name socket",
        "ip link set socket up",
        "ip link set card up",
        "ip addr add 11.0.0.1/24 dev card",
    ):
        subprocess.run(command.split(), check=True)
    folder = Path(tempfile.mkdtemp(prefix="sitemapgen-"))
    for name, text in (
        ("resolv.conf", f"nameserver {DNS}\noptions timeout:2 attempts:2\n"),
        ("nsswitch.conf", "hosts: files dns\n"),
        ("hosts", "127.0.0.1 localhost\n"),
    ):
        path = folder / name
        path.write_text(text)
        place = Path("/etc") / name
        if place.exists():
            subprocess.run(["mount", "--bind", path, place.resolve()], check=True)


class Names:
    """A DNS server: ``answers(name)`` gives the addresses of a name, at every question anew."""

    def __init__(self, answers: Callable[[str], Sequence[str]]) -> None:
        self.asked: list[str] = []
        self._answers = answers
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((DNS, 53))
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            question, client = self._socket.recvfrom(4096)
            self._socket.sendto(self._answer(question), client)

    def _answer(self, question: bytes) -> bytes:
        labels, place = [], 12
        while length := question[place]:
            labels.append(question[place + 1 : place + 1 + length].decode("latin-1"))
            place += 1 + length
        (kind,) = struct.unpack_from(">H", question, place + 1)
        name = ".".join(labels).lower()
        self.asked.append(name)
        version = {1: 4, 28: 6}.get(kind)
        found = [ipaddress.ip_address(each) for each in (self._answers(name) if version else ())]
        records = [address.packed for address in found if address.version == version]
        head = struct.pack(">2sHHHHH", question[:2], 0x8180, 1, len(records), 0, 0)
        body = b"".join(
            struct.pack(">HHHIH", 0xC00C, kind, 1, 0, len(data)) + data for data in records
        )
        return head + question[12 : place + 5] + body


class Canary:
    """Records what is sent to private addresses: every TCP SYN and every UDP packet.

    What this machine needs itself is left out: the DNS server, and 127.0.0.1 but for ``ports``.
    """

    def __init__(self, *ports: int) -> None:
        self.hits: list[str] = []
        self._ports = ports
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        self._socket.bind(("lo", 0))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            packet = self._socket.recv(65_536)
            if (hit := self._hit(packet[14:])) and hit not in self.hits:
                self.hits.append(hit)

    def _hit(self, packet: bytes) -> str:
        """What a packet that begins a conversation leads to; empty for any other."""
        if packet[0] >> 4 == 4:
            kind, data = packet[9], packet[(packet[0] & 15) * 4 :]
            address: ipaddress.IPv4Address | ipaddress.IPv6Address
            address = ipaddress.IPv4Address(packet[16:20])
        else:
            kind, data = packet[6], packet[40:]
            address = ipaddress.IPv6Address(packet[24:40])
        is_syn = kind == socket.IPPROTO_TCP and data[13] & 0x12 == 0x02
        if not (is_syn or kind == socket.IPPROTO_UDP) or is_public(address):
            return ""
        source, port = struct.unpack_from(">HH", data)
        if str(address) == DNS or 53 in (source, port):
            return ""
        if str(address) == "127.0.0.1" and port not in self._ports:
            return ""
        return f"{'tcp' if is_syn else 'udp'} {address} {port}"


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Python's own rule, and the addresses of these tests that it does not see through."""
    if address.version == 6:
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in ipaddress.IPv6Network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if int(address) >> 32 == 0 or address.is_site_local:
            return False
    return address.is_global and not address.is_multicast


if __name__ == "__main__":
    build()
    from tests.egress.scenarios import main

    main(sys.argv[1:])
