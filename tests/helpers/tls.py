"""Certificates of the tests' own."""

import ssl
import subprocess
from pathlib import Path

from tests.helpers.crawls import DEADLINE

CERTIFICATE = "certificate.pem"


def self_signed(directory: Path, *, with_names: bool = True) -> ssl.SSLContext:
    """A server's context with a certificate for 127.0.0.1 that no authority has signed.

    The certificate is written into a directory.

    ``with_names``: as certificates have them since 2000; before, the subject was the name.
    """
    names = ["-addext", "subjectAltName=IP:127.0.0.1"] if with_names else []
    certificate, private = directory / CERTIFICATE, directory / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        + ["-subj", "/CN=127.0.0.1", *names]
        + ["-keyout", str(private), "-out", str(certificate)],
        check=True,
        capture_output=True,
        timeout=DEADLINE,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, private)
    return context
