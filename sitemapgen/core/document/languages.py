"""Language and region codes that are valid in hreflang and in a news sitemap.

Google, "Tell Google about localized versions of your page": ISO 639-1, then a script (ISO 15924)
or a region (ISO 3166-1 alpha 2) or both, or x-default. A region alone is invalid.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

X_DEFAULT = "x-default"

_CODE = re.compile(r"([a-z]{2})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}))?")

LANGUAGES = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da
    de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz
    ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln
    lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi
    pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th
    ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu iw in ji
    """.split()  # noqa: SIM905 - a word list, not code
)
"""Codes of ISO 639-1, with the three old ones that browsers still send."""

REGIONS = frozenset(
    """
    ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs
    bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee
    eg eh er es et fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm
    hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc
    li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na
    nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw
    sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td tf tg th tj tk tl tm tn to
    tr tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw
    """.split()  # noqa: SIM905 - a word list, not code
)
"""Codes of ISO 3166-1 alpha 2, which has neither UK nor EU."""


RIGHT_TO_LEFT = frozenset("ar dv fa he iw ji ps sd ug ur yi".split())  # noqa: SIM905 - a word list
"""Languages that are written from right to left."""


def of_site(counts: Mapping[str, int]) -> str:
    """Return the code of the language that most pages state; empty if none states a valid one.

    ``counts``: number of pages by their ``lang``, as written. Of the codes of that language the
    most frequent one counts; equal ones by alphabet.

    >>> of_site({"de-AT": 2, "de-de": 3, "en": 4, "": 90, "none of them": 9})
    'de-DE'
    """
    codes: Counter[str] = Counter()
    languages: Counter[str] = Counter()
    for code, count in counts.items():
        if valid := canonical_language(code):
            codes[valid] += count
            languages[primary_language(valid)] += count
    if not languages:
        return ""
    most = min(languages, key=lambda each: (-languages[each], each))
    return min(
        (code for code in codes if primary_language(code) == most), key=lambda c: (-codes[c], c)
    )


def canonical_language(code: str) -> str:
    """Return the code of a ``lang`` attribute in its canonical form; empty if it is invalid.

    >>> canonical_language("en_us"), canonical_language("de-CH-1996"), canonical_language("English")
    ('en-US', 'de', '')
    """
    code = code.strip().replace("_", "-")
    language = primary_language(code)
    return (canonical_hreflang(code) or language) if language in LANGUAGES else ""


def primary_language(code: str) -> str:
    """Return the language of a code, without script and region.

    >>> primary_language("zh-Hant-HK")
    'zh'
    """
    return code.partition("-")[0].lower()


def canonical_hreflang(code: str) -> str:
    """Return an hreflang code in its canonical form; empty if it is invalid.

    >>> [canonical_hreflang(code) for code in ("zh-hant-hk", "EN-uk", "X-Default")]
    ['zh-Hant-HK', '', 'x-default']
    """
    code = code.strip().lower()
    if code == X_DEFAULT:
        return code
    found = _CODE.fullmatch(code)
    if found is None or "_" in code:
        return ""
    language, script, region = found.groups()
    if language not in LANGUAGES or (region and region not in REGIONS):
        return ""
    parts = (language, script and script.title(), region and region.upper())
    return "-".join(filter(None, parts))


def news_language(code: str) -> str:
    """Return the language of a publication (sitemap-news.xsd); empty if it is invalid.

    >>> news_language("en-US"), news_language("zh-Hant-HK")
    ('en', 'zh-tw')
    """
    found = _CODE.match(code.strip().lower())
    if found is None or found[1] not in LANGUAGES:
        return ""
    language, script, region = found.groups()
    if language == "zh" and (script or region):
        is_traditional = script == "hant" or (not script and region in ("tw", "hk", "mo"))
        return "zh-tw" if is_traditional else "zh-cn"
    return str(language)
