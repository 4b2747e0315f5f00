"""Which URLs have the address to return to in them, and which of these are one login form."""

from sitemapgen.core.logins import LoginForm, LoginStep, LoginUrl, decide_step, login_form
from tests.helpers.tables import for_each

SITE = "https://e.example"
MEMBER = "/members/3"
NEXT = LoginForm(SITE, "/login", "next", ())

FORMS = [
    ("/login?next=/members/3", MEMBER, NEXT),
    ("/login?next=%2Fmembers%2F3", MEMBER, NEXT),
    ("/login?next=%252Fmembers%252F3", MEMBER, NEXT),
    ("/login?next=https://e.example/members/3", MEMBER, NEXT),
    ("/login?next=/members/3/", "/members/3/", NEXT),
    ("/login?next=members/3", MEMBER, NEXT),
    ("/login?next=L21lbWJlcnMvMw==", MEMBER, NEXT),
    ("/login?next=/edit%3Fid%3D3", "/edit?id=3", NEXT),
    ("/login?next=/edit?id=3", "/edit?id=3&x=1", NEXT),
    ("/login?next=/", "/", NEXT),
    ("/login?csrf=9f2c&next=/members/3", MEMBER, NEXT._replace(others=(("csrf", ""),))),
    (
        "/ucp.php?mode=login&redirect=viewforum.php%3Ff%3D3",
        "/viewforum.php?f=3",
        LoginForm(SITE, "/ucp.php", "redirect", (("mode", "login"),)),
    ),
    ("/login/members/3", MEMBER, LoginForm(SITE, "/login", "", ())),
    ("/login/%2Fmembers%2F3", MEMBER, LoginForm(SITE, "/login", "", ())),
    ("/en/login/members/3?t=1", MEMBER, LoginForm(SITE, "/en/login", "", (("t", ""),))),
    # What has no address, or that of another page.
    ("/login", MEMBER, None),
    ("/login?next=/members/4", MEMBER, None),
    ("/members/3/edit", MEMBER, None),
    ("/members/3?page=2", MEMBER, None),
    ("/old-members/3", MEMBER, None),
    ("/login/", "/", None),
    ("/login?next=", "/", None),
]


@for_each(*FORMS)
def test_the_form_of_a_url(url: str, source: str, form: LoginForm | None) -> None:
    assert login_form(SITE + url, SITE + source) == form
    if form:
        assert form.address(SITE + url) is not None


OTHERS = [
    ("/login?next=/members/3", True),
    ("/login?next=/", True),
    ("/login", False),
    ("/login?next=/a&step=2", False),
    ("/login?next=/a&next=/b", False),
    ("/login/help?next=/a", False),
    ("/register?next=/a", False),
]


@for_each(*OTHERS)
def test_other_urls_of_a_form(url: str, is_one: bool) -> None:
    assert (NEXT.address(SITE + url) is not None) is is_one


def login(number: int, text: str = "Log in", *, has_password: bool = True) -> LoginUrl:
    return LoginUrl(number, f"{SITE}/login?next=/m/{number}", False, True, has_password, text)


def waiting(number: int) -> LoginUrl:
    return LoginUrl(number, f"{SITE}/login?next=/m/{number}", True, False, False, "")


THREE = [login(1), login(2), login(3)]
MOVED = [
    LoginUrl(number, f"{SITE}/forum/topic/{number}", False, True, True, text)
    for number, text in ((1, "Rivers"), (2, "Gardens"))
]

DECISIONS = {
    "three, and the others": ([*THREE, waiting(4)], 0, LoginStep.LEAVE_OUT, [1, 2, 3, 4]),
    "two, and others": ([*THREE[:2], waiting(4), waiting(5)], 0, LoginStep.ASK, [4]),
    "none yet": ([waiting(5), waiting(44), waiting(4), waiting(6)], 0, LoginStep.ASK, [4, 5, 6]),
    "one is all": ([login(1)], 0, LoginStep.LEAVE_OUT, [1]),
    "their own address, a captcha, a clock": (
        [login(number, f"Log in for /m/{number} at 12:0{number}") for number in (1, 2, 3)],
        0,
        LoginStep.LEAVE_OUT,
        [1, 2, 3],
    ),
    "other words on each": (
        [login(number, f"Log in or read about {word}") for number, word in enumerate("abc")],
        0,
        LoginStep.NOTHING,
        [],
    ),
    "one of them is a page": ([*THREE, login(4, has_password=False)], 0, LoginStep.NOTHING, []),
    "a login box on every page": (THREE, 40, LoginStep.NOTHING, []),
    "some pages with passwords": (THREE, 5, LoginStep.LEAVE_OUT, [1, 2, 3]),
    "topics that moved, with a login box": (MOVED, 0, LoginStep.NOTHING, []),
    "one topic that moved, with a login box": (MOVED[:1], 0, LoginStep.NOTHING, []),
    "nothing but errors": (
        [waiting(9), *(login(n)._replace(is_document=False) for n in range(6))],
        0,
        LoginStep.NOTHING,
        [],
    ),
}


@for_each(*DECISIONS)
def test_decisions(name: str) -> None:
    urls, boxes, step, keys = DECISIONS[name]
    found, some = decide_step(urls, boxes, 100)
    assert (found, [each.key for each in some]) == (step, keys)
