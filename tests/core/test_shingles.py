"""The sample of a text's shingles: the same part of every text, whatever stands around it."""

import random
import subprocess
import sys
from collections.abc import Iterable

import numpy as np

from sitemapgen.core.document import html
from sitemapgen.core.document.shingles import (
    MAX_MEDIA,
    MIN_BYTES,
    SAMPLE,
    SHINGLE,
    hash_shingles,
    hash_subject,
    sample_shingles,
    signature_of_parts,
    signed_media,
)
from tests.helpers.tables import for_each

LETTERS = random.Random(1).choices(b"abcdefghijklmnopqrstuvwxyz", k=40_000)
TEXT = bytes(LETTERS)


def signed(text: bytes, media: Iterable[str]) -> bytes:
    return signature_of_parts(text, np.empty(0, np.int64), media)[0]


def test_a_sample_is_the_smallest_hashes_in_order() -> None:
    everything = sample_shingles(TEXT, len(TEXT))
    assert len(everything) == len(TEXT) - SHINGLE + 1
    assert (everything[1:] > everything[:-1]).all()
    for size in (1, SAMPLE, 1_000):
        assert (sample_shingles(TEXT, size) == everything[:size]).all()


def test_a_short_text_is_kept_whole() -> None:
    assert len(sample_shingles(TEXT[:SHINGLE])) == 1
    assert len(sample_shingles(TEXT[:100])) == 100 - SHINGLE + 1


@for_each(1, 7, 200)
def test_a_text_that_repeats_itself_has_few_shingles(period: int) -> None:
    assert len(sample_shingles(TEXT[:period] * 500)) == min(period, SAMPLE)


def test_what_stands_before_and_behind_does_not_matter() -> None:
    inner = set(sample_shingles(TEXT[5_000:6_000], 10_000).tolist())
    assert inner <= set(sample_shingles(TEXT[1:9_000], 10_000).tolist())


@for_each(*range(SHINGLE))
def test_every_byte_of_a_shingle_counts(place: int) -> None:
    one = TEXT[:SHINGLE]
    other = one[:place] + b"!" + one[place + 1 :]
    assert sample_shingles(one) != sample_shingles(other)


def test_samples_are_spread_evenly() -> None:
    counts, _ = np.histogram(sample_shingles(TEXT, len(TEXT)), 16, (0, 1 << 32))
    assert counts.min() > 0.9 * len(TEXT) / 16


def test_another_process_makes_the_same_signature() -> None:
    code = "from tests.core.test_shingles import signed; "
    code += f"print(signed({TEXT[:900]!r}, ['a']).hex())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=600)
    assert bytes.fromhex(run.stdout.decode()) == signed(TEXT[:900], ["a"])


def test_little_text_has_no_signature() -> None:
    assert signed(TEXT[: MIN_BYTES - 1], ["a"]) == b""
    assert len(signed(TEXT[:MIN_BYTES], ["a"])) == 4 * (1 + 1 + SAMPLE)
    assert len(signed(TEXT, map(str, range(99)))) == 4 * (1 + MAX_MEDIA + SAMPLE)


def test_the_path_to_an_image_may_be_relative() -> None:
    assert signed(TEXT, ["../a.png"]) == signed(TEXT, ["a.png", "/a.png"])
    assert signed(TEXT, ["../b.png"]) != signed(TEXT, ["a.png"])


@for_each(
    (("T", "H", "en"), ("T", "H", "en"), True),
    (("T", "H", "en"), ("U", "H", "en"), False),
    (("T", "H", "en"), ("T", "I", "en"), False),
    (("T", "H", "en"), ("T", "H", "de"), False),
    (("TH", "", "en"), ("T", "H", "en"), False),
)
def test_subjects(one: tuple[str, ...], other: tuple[str, ...], is_same: bool) -> None:
    assert (hash_subject(*one) == hash_subject(*other)) is is_same


def test_a_page_without_title_and_heading_has_no_subject() -> None:
    assert hash_subject("", "", "en") is None
    assert hash_subject("", "H", "") is not None


def test_documents_are_signed_without_their_noise() -> None:
    words = " ".join(str(number) for number in range(400))
    page = "<title>T</title><h1>Site</h1>{}<h1>Own</h1><p>{}</p><footer>{}</footer>"
    one, other = (
        html.parse_document(page.format(f"<nav>{noise}</nav>", words, noise).encode())
        for noise in "ab"
    )
    assert one.signature == other.signature != b""
    assert one.subject == other.subject == hash_subject("T", "Own", "")
    assert html.parse_document(b"<title>T</title><h1>Own</h1>little").subject is None


def bits(unbroken: bytes, count: int) -> list[bool]:
    return [bool(bit) for bit in np.unpackbits(np.frombuffer(unbroken, np.uint8))[:count]]


@for_each(MIN_BYTES, 3_000, 1_100_000)
def test_the_shingles_within_one_part_are_marked(length: int) -> None:
    text = bytes(random.Random(2).choices(b"abcdefghijklmnopqrstuvwxyz", k=length))
    parts = np.array(sorted(random.Random(3).sample(range(length), length // 50)))
    packed, unbroken = signature_of_parts(text, parts, ["a.png"])
    assert packed == signed_media(["a.png"]) + sample_shingles(text).tobytes()
    within = {
        hash_
        for start, end in zip([0, *parts.tolist()], [*parts.tolist(), length], strict=True)
        for hash_ in hash_shingles(text[start:end]).tolist()
    }
    kept = np.frombuffer(packed[8:], "<u4").tolist()
    assert bits(unbroken, len(kept)) == [hash_ in within for hash_ in kept]
    assert 0 < sum(bits(unbroken, len(kept))) < len(kept)


def test_a_shingle_that_is_whole_once_is_marked() -> None:
    """The same words, once within a text node, and once across two."""
    once = TEXT[:600]
    packed, unbroken = signature_of_parts(once + once, np.array([300, 600]), [])
    kept = np.frombuffer(packed[4:], "<u4").tolist()
    within = {*hash_shingles(once[:300]).tolist(), *hash_shingles(once).tolist()}
    assert bits(unbroken, len(kept)) == [hash_ in within for hash_ in kept]


def test_a_short_text_has_no_signature_and_no_marks() -> None:
    assert signature_of_parts(TEXT[: MIN_BYTES - 1], np.array([9]), ["a.png"]) == (b"", b"")
    assert len(signature_of_parts(TEXT[:MIN_BYTES], np.array([], np.int64), [])[1]) == 16


def test_all_shingles_of_a_text() -> None:
    assert len(hash_shingles(TEXT[: SHINGLE - 1])) == 0
    assert len(hash_shingles(TEXT[:100])) == 100 - SHINGLE + 1
