"""Public and private IP addresses, by the IANA special-purpose address registries.

``download/egress.py`` checks connections with it, ``urls.py`` checks URLs.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

REFUSAL = "a private address, which only the user may name"
"""Error of a refused connection to a private address."""
MOVED = "a private address in place of a public one, or the reverse, since the crawl began"
"""Error of a refused connection to a host that the user named."""

_NOT_PUBLIC = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network: RFC 791
            "10.0.0.0/8",  # private use: RFC 1918
            "100.64.0.0/10",  # shared by the customers of a provider: RFC 6598
            "127.0.0.0/8",  # loopback: RFC 1122
            "169.254.0.0/16",  # link-local: RFC 3927
            "172.16.0.0/12",  # private use: RFC 1918
            "192.0.0.0/24",  # protocol assignments: RFC 6890
            "192.0.2.0/24",  # documentation: RFC 5737
            "192.88.99.0/24",  # relays of 6to4: RFC 7526
            "192.168.0.0/16",  # private use: RFC 1918
            "198.18.0.0/15",  # benchmarks: RFC 2544
            "198.51.100.0/24",  # documentation: RFC 5737
            "203.0.113.0/24",  # documentation: RFC 5737
            "224.0.0.0/4",  # multicast: RFC 5771
            "240.0.0.0/4",  # reserved: RFC 1112; broadcast: RFC 919
        ),
    )
)
_UNICAST_6 = IPv6Network("2000::/3")
"""IPv6 addresses that IANA allocates for global use (RFC 4291 section 2.4)."""
_NOT_PUBLIC_6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocol assignments: RFC 2928; Teredo, benchmarks and ORCHID among them
            "2001:db8::/32",  # documentation: RFC 3849
            "3fff::/20",  # documentation: RFC 9637
        ),
    )
)
_EMBEDDING = (
    (IPv6Network("::ffff:0:0/96"), 0),  # IPv4-mapped: RFC 4291 section 2.5.5.2
    (IPv6Network("64:ff9b::/96"), 0),  # NAT64: RFC 6052 section 2.1
    (IPv6Network("2002::/16"), 80),  # 6to4: RFC 3056 section 2
)
"""(network whose addresses embed an IPv4 address, number of bits to the right of it)."""


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is globally reachable; an embedded IPv4 address decides.

    >>> is_public(IPv6Address("64:ff9b::10.0.0.1")), is_public(IPv6Address("64:ff9b::8.8.8.8"))
    (False, True)
    """
    if isinstance(address, IPv6Address):
        shift = next((shift for network, shift in _EMBEDDING if address in network), None)
        if shift is None:
            is_special = any(address in network for network in _NOT_PUBLIC_6)
            return address in _UNICAST_6 and not is_special
        address = IPv4Address(int(address) >> shift & 0xFFFFFFFF)
    return not any(address in network for network in _NOT_PUBLIC)
