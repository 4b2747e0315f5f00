"""Words of sitemap.html in the most common languages of the web (W3Techs, content languages)."""

from __future__ import annotations

from typing import NamedTuple

from sitemapgen.core.document.languages import primary_language

ENGLISH = "en"


class Words(NamedTuple):
    """The words of the page itself."""

    language: str
    """The code of their language."""
    sitemap: str
    pages: str
    """A heading before a number, so that no plural depends on it."""
    sections: str
    start: str
    """The section of the pages in no directory."""
    continued: str


_TABLE = """
ar | خريطة الموقع | الصفحات | الأقسام | البداية | تتمة
bg | Карта на сайта | Страници | Раздели | Начало | продължение
ca | Mapa del lloc | Pàgines | Seccions | Inici | continuació
cs | Mapa stránek | Stránky | Oddíly | Úvod | pokračování
da | Oversigt over webstedet | Sider | Afsnit | Start | fortsat
de | Sitemap | Seiten | Bereiche | Start | Fortsetzung
el | Χάρτης ιστότοπου | Σελίδες | Ενότητες | Αρχή | συνέχεια
en | Sitemap | Pages | Sections | Start | continued
es | Mapa del sitio | Páginas | Secciones | Inicio | continuación
fa | نقشه سایت | صفحه‌ها | بخش‌ها | شروع | ادامه
fi | Sivukartta | Sivut | Osiot | Alku | jatkoa
fr | Plan du site | Pages | Rubriques | Accueil | suite
he | מפת האתר | עמודים | מדורים | התחלה | המשך
hi | साइटमैप | पृष्ठ | अनुभाग | आरंभ | जारी
hr | Mapa weba | Stranice | Odjeljci | Početak | nastavak
hu | Oldaltérkép | Oldalak | Szakaszok | Kezdet | folytatás
id | Peta situs | Halaman | Bagian | Awal | lanjutan
it | Mappa del sito | Pagine | Sezioni | Inizio | continua
ja | サイトマップ | ページ | セクション | トップ | 続き
ko | 사이트맵 | 페이지 | 섹션 | 시작 | 계속
nb | Nettstedskart | Sider | Seksjoner | Start | fortsatt
nl | Sitemap | Pagina's | Onderdelen | Start | vervolg
pl | Mapa strony | Strony | Działy | Start | ciąg dalszy
pt | Mapa do site | Páginas | Seções | Início | continuação
ro | Harta site-ului | Pagini | Secțiuni | Început | continuare
ru | Карта сайта | Страницы | Разделы | Начало | продолжение
sk | Mapa stránok | Stránky | Sekcie | Úvod | pokračovanie
sv | Webbplatskarta | Sidor | Avsnitt | Start | fortsättning
th | แผนผังเว็บไซต์ | หน้า | หมวด | เริ่มต้น | ต่อ
tr | Site haritası | Sayfalar | Bölümler | Başlangıç | devamı
uk | Карта сайту | Сторінки | Розділи | Початок | продовження
vi | Sơ đồ trang web | Trang | Mục | Bắt đầu | tiếp theo
zh | 网站地图 | 页面 | 栏目 | 首页 | 续
zh-Hant | 網站地圖 | 頁面 | 欄目 | 首頁 | 續
"""

TABLE = {
    words.language: words
    for words in (Words(*map(str.strip, row.split("|"))) for row in _TABLE.strip().splitlines())
}
_SAME = {"no": "nb", "nn": "nb", "iw": "he", "in": "id"}
_TRADITIONAL = ("hant", "tw", "hk", "mo")


def words_of(language: str) -> Words:
    """Return the words in a language, by its code; in English where the table lacks it.

    >>> words_of("de-AT").pages, words_of("zh-HK").pages, words_of("cy").language
    ('Seiten', '頁面', 'en')
    """
    name = primary_language(language)
    _, *others = language.lower().split("-")
    if name == "zh" and "hans" not in others and any(each in _TRADITIONAL for each in others):
        name = "zh-Hant"
    return TABLE.get(_SAME.get(name, name), TABLE[ENGLISH])
