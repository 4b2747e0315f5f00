"""Which addresses are public."""

import ipaddress

from sitemapgen.core.addresses import is_public
from sitemapgen.core.urls import is_private, parse
from tests.helpers.tables import for_each

PRIVATE = [
    *("0.0.0.0", "0.255.0.1", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1"),
    *("127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1"),
    *("192.0.2.1", "192.88.99.1", "192.168.255.255", "198.18.0.1", "198.19.255.255"),
    *("198.51.100.1", "203.0.113.1", "224.0.0.251", "239.255.255.250", "240.0.0.1"),
    *("255.255.255.255", "::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1"),
    *("::ffff:10.0.0.1", "::ffff:0:8.8.8.8", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1"),
    *("64:ff9b:1::1", "64:ff9b:1::8.8.8.8", "100::1", "100:0:0:1::1", "2001::1"),
    *("2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::"),
    *("2002:a00:1::", "2002:c0a8:101::1", "2002:a9fe:a9fe::", "3fff::1", "4000::1"),
    *("5f00::1", "fc00::1", "fd00::1", "fe80::1", "fe80::1%1", "fec0::1", "ff02::1"),
    "ff0e::1",
]
PUBLIC = [
    *("1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.1", "93.184.216.34", "100.63.255.255"),
    *("100.128.0.1", "126.255.255.255", "128.0.0.1", "169.253.255.255", "172.15.255.255"),
    *("172.32.0.1", "192.0.1.1", "192.167.255.255", "192.169.0.1", "198.17.255.255"),
    *("198.20.0.1", "223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::93.184.216.34"),
    *("2001:200::1", "2001:4860:4860::8888", "2002:808:808::1", "2606:2800:220:1::1"),
    *("2a00:1450:4001::1", "3ffe::1"),
]


@for_each(*PRIVATE)
def test_private_addresses(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@for_each(*PUBLIC)
def test_public_addresses(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


def test_no_address_is_public_that_python_calls_private() -> None:
    """Python follows the same registries, and looks into no translated address."""
    for number in range(0, 1 << 32, 1_048_573):
        address = ipaddress.ip_address(number)
        if is_public(address):
            assert address.is_global, address
            assert not address.is_multicast, address


@for_each(
    *("localhost", "localhost.", "LOCALHOST", "a.localhost", "a.localhost.", "nas.local"),
    *("nas.local.", "db.internal.", "127.0.0.1.", "127.1", "0x7f.1", "0x7f000001"),
    *("2130706433", "017700000001", "0177.0.0.01", "0", "0.0.0.0", "10.1", "192.168.257"),
    *("169.254.43518", "%31%32%37.0.0.1", "127。0。0。1", "①②⑦.⓪.⓪.①", "⓵.ⓛⓞⓒⓐⓛ"),
    *("[::1]", "[::ffff:7f00:1]", "[::ffff:127.0.0.1]", "[0:0:0:0:0:0:0:1]"),
    *("[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fec0::1]", "[ff02::1]"),
    *("224.0.0.1", "255.255.255.255"),
)
def test_private_hosts_in_every_spelling(host: str) -> None:
    url = parse(f"http://{host}:8000/a")
    assert url is None or is_private(url)


@for_each(
    *("example.com", "example.com.", "localhost.example.com", "local", "notlocalhost"),
    *("8.8.8.8", "134744072", "[64:ff9b::808:808]", "[2606:4700::1]", "localhost.com"),
)
def test_public_hosts(host: str) -> None:
    url = parse(f"http://{host}/")
    assert url is not None
    assert not is_private(url)
