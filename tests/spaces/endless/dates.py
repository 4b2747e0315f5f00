"""Calendars without end around 300 real pages."""

import re
from calendar import month_name, monthrange
from datetime import date, timedelta
from random import Random

from tests.helpers.server import Answer
from tests.spaces.pages import Theme, anchors, around, behind, digest, table, words
from tests.spaces.space import Part, endless

THEME = Theme("The real pages", ("/", "Start"))
NAMES = [name.lower() for name in month_name]


def _months(number: int) -> list[tuple[int, int]]:
    """Year and month before and after a month, counted from the year 0."""
    return [(other // 12, other % 12 + 1) for other in (number - 1, number + 1)]


@endless(tolerated=r"/calendar/.*")
@behind(r"/calendar/(\d{1,4})/(\d\d)(?:/(\d\d))?", doors=lambda _: ["/calendar/2026/06"])
def calendar_of_days(found: re.Match[str]) -> Answer | None:
    """Empty months and days, forwards and backwards for ever."""
    if not 0 < int(found[2]) < 13:
        return None
    near = _months(int(found[1]) * 12 + int(found[2]) - 1)
    days = [] if found[3] else [f"{found[0]}/{day:02}" for day in range(1, 29)]
    links = [*(f"/calendar/{year:04}/{month:02}" for year, month in near), *days]
    return THEME(f"Calendar {found[0][10:]}", "<p>No events.</p>", links=links)


@endless(tolerated=r"/events\?.*")
@behind(
    r"/events\?date=(\d{4})-(\d\d)-(\d\d)&view=(month|week|day|list)",
    doors=lambda _: ["/events?date=2026-06-01&view=month"],
)
def calendar_of_views(found: re.Match[str]) -> Answer | None:
    """Month, week, day and list views of any day, ?view=&date=."""
    try:
        day = date(int(found[1]), int(found[2]), int(found[3]))
        near = [day + timedelta(days=step) for step in (-30, -7, -1, 1, 7, 30)]
    except (ValueError, OverflowError):
        return None
    links = [f"/events?date={day}&view={view}" for view in ("month", "week", "day", "list")]
    links += [f"/events?date={other}&view={found[4]}" for other in near]
    return THEME(f"{found[4]} of {day}", "<p>There are no events.</p>", links=links)


@endless(tolerated=r"/events\.php\?m=.*", requests=-1_500)
@behind(r"/events\.php\?m=(\d{1,5})", doors=lambda _: ["/events.php?m=24317"])
def calendar_by_number(found: re.Match[str]) -> Answer:
    """?m=24317 is June 2026: two months with an event, and empty ones for ever."""
    number = int(found[1])
    text = words(found[0], 30) if number in (24_316, 24_317) else "No events."
    links = [f"/events.php?m={other}" for other in (number - 1, number + 1)]
    title = f"Events {number // 12}-{number % 12 + 1:02}"
    return THEME(title, f"<p>{text}</p>", links=links)


@endless(tolerated=r"/calendar\.php\?.*")
@behind(
    r"/calendar\.php\?month=(\d{1,2})&year=(\d{1,4})",
    doors=lambda _: ["/calendar.php?month=6&year=2026"],
)
def calendar_of_parameters(found: re.Match[str]) -> Answer | None:
    """?month=&year= with a table of the days, forwards and backwards for ever."""
    if not 0 < int(found[1]) < 13:
        return None
    near = _months(int(found[2]) * 12 + int(found[1]) - 1)
    links = [f"/calendar.php?month={month}&year={year}" for year, month in near]
    grid = [range(start, start + 7) for start in range(1, 29, 7)]
    title = f"{month_name[int(found[1])]} {found[2]}"
    return THEME(title, table("MTWTFSS", grid), links=links)


@endless(tolerated=r"/agenda/.*")
@behind(r"/agenda/(\d{4})-(\d\d)-(\d\d)", doors=lambda _: ["/agenda/2026-06-01"])
def calendar_with_a_word(found: re.Match[str]) -> Answer | None:
    """Another word of the day on every day."""
    try:
        day = date(int(found[1]), int(found[2]), int(found[3]))
        links = [f"/agenda/{day + timedelta(days=step)}" for step in (-7, -1, 1, 7)]
    except (ValueError, OverflowError):
        return None
    text = f"<p>Word of the day: {words(found[0], 1)}. Nothing on {day}.</p>"
    return THEME(f"Agenda {day}", text, links=links)


@endless(tolerated=r"/month/.*")
@behind(r"/month/(\d{1,4})/([a-z]+)", doors=lambda _: ["/month/2026/march"])
def calendar_of_names(found: re.Match[str]) -> Answer | None:
    """/month/2026/march, with all months of the year and the years around."""
    if found[2] not in NAMES[1:]:
        return None
    year, month = int(found[1]) or 1, NAMES.index(found[2])
    links = [f"/month/{year}/{name}" for name in NAMES[1:]]
    links += [f"/month/{year + step}/{found[2]}" for step in (-1, 1)]
    _, days = monthrange(year, month)
    grid = [range(start, min(start + 7, days + 1)) for start in range(1, days + 1, 7)]
    return THEME(f"{found[2].title()} {year}", table("MTWTFSS", grid), links=links)


@endless(tolerated=r"/day/.*")
@behind(r"/day/(\d{4})(\d\d)(\d\d)", doors=lambda _: ["/day/20260601"])
def calendar_with_a_clock(found: re.Match[str]) -> Answer | None:
    """Days with the time of day and a counter in their text."""
    try:
        day = date(int(found[1]), int(found[2]), int(found[3]))
        links = [f"/day/{day + timedelta(days=step):%Y%m%d}" for step in (-30, -1, 1, 30)]
    except (ValueError, OverflowError):
        return None
    clock = Random(found[0])
    now = f"{clock.randint(0, 23)}:{clock.randint(0, 59):02}:{clock.randint(0, 59):02}"
    text = f"<p>It is {now}. You are visitor {clock.randint(9999, 99999)}. Free all day.</p>"
    return THEME(f"{day:%d.%m.%Y}", text, links=links)


@endless(
    tolerated=r"/calendar/.*",
    most=20,
    also=lambda: (
        frozenset(f"/calendar/2026/{month:02}" for month in range(1, 13))
        | frozenset(f"/event/{digest('event', n)[:6]}" for n in range(12))
    ),
)
def calendar_with_events() -> Part:
    """A year with an event in each month, in the middle of empty months without end."""

    def answer(path: str) -> Answer | None:
        if found := re.fullmatch(r"/event/([0-9a-f]{6})", path):
            return THEME(words(path, 2), f"<p>{words(f'{path}!', 20)}.</p>")
        found = re.fullmatch(r"/calendar/(\d{1,4})/(\d\d)", path)
        if not found or not 0 < int(found[2]) < 13:
            return None
        near = _months(int(found[1]) * 12 + int(found[2]) - 1)
        event = f"/event/{digest('event', int(found[2]) - 1)[:6]}"
        shown = anchors([event]) if found[1] == "2026" else "<p>No events.</p>"
        links = [f"/calendar/{year:04}/{month:02}" for year, month in near]
        return THEME(f"{month_name[int(found[2])]} {found[1]}", shown, links=links)

    return around(answer, doors=lambda _: ["/calendar/2026/06"])


PLACES = range(22)


def _tables(kind: str, months: tuple[str, ...], *, is_finite: bool) -> Part:
    """A table of each month of each place, to some of which its page leads; a file beside each.

    Each value is one that many others have, too. ``is_finite``: other months are empty.
    """

    def answer(path: str) -> Answer | None:
        found = re.fullmatch(rf"/{kind}/(\d+)(?:/(\d{{4}})-(\d\d)(\.csv)?)?", path)
        if not found or int(found[1]) not in PLACES or not 0 < int(found[3] or 1) < 13:
            return None
        place = f"/{kind}/{found[1]}"
        name = words(place, 1)
        if not found[2]:
            links = [f"{place}/{month}" for month in months]
            return THEME(f"{name} {kind}", f"<p>{words(path, 12)}.</p>", links=links)
        if found[4]:
            return Answer("day;low;high", headers={"Content-Type": "text/csv"})
        near = _months(int(found[2]) * 12 + int(found[3]) - 1)
        links = [f"{place}/{year:04}-{month:02}" for year, month in near]
        measured = Random(path)
        rows = [[day, *(measured.randint(1, 90) / 10 for _ in "lh")] for day in range(1, 29)]
        is_full = f"{found[2]}-{found[3]}" in months or not is_finite
        shown = table(("Day", "Low", "High"), rows) if is_full else "<p>No data.</p>"
        title = f"{name}, {month_name[int(found[3])]} {found[2]}"
        return THEME(title, shown, links=[*links, f"{path}.csv"])

    return around(answer, doors=lambda number: [f"/{kind}/{number % len(PLACES)}"])


def _tabled(kind: str, months: tuple[str, ...]) -> frozenset[str]:
    """The pages of the places, and of the months to which they lead."""
    places = [f"/{kind}/{place}" for place in PLACES]
    return frozenset(places).union(f"{place}/{month}" for place in places for month in months)


YEAR = tuple(f"2024-{month:02}" for month in range(1, 13))


@endless(tolerated=r"/station/.*", most=3, also=lambda: _tabled("station", YEAR))
def stations_by_month() -> Part:
    """A year of measurements at each station, in the middle of empty months without end."""
    return _tables("station", YEAR, is_finite=True)


@endless(tolerated=r"/port/.*", most=60, also=lambda: _tabled("port", YEAR[:6]))
def tides_by_month() -> Part:
    """Tables for any month: the pages of ports lead to six of them, and each to the next."""
    return _tables("port", YEAR[:6], is_finite=False)


CLASSES = range(18)


@endless(
    tolerated=r"/class/.*",
    most=3,
    also=lambda: frozenset(f"/class/{at}/week/{week}" for at in CLASSES for week in range(10, 14)),
)
def lessons_by_week() -> Part:
    """Weeks with the same lessons, teachers and rooms in another order; others are empty."""
    names = [words(f"lesson {number}", 2) for number in range(30)]

    def answer(path: str) -> Answer | None:
        found = re.fullmatch(r"/class/(\d+)/week/(\d+)", path)
        if not found or int(found[1]) not in CLASSES or not 0 < int(found[2]) < 1_000:
            return None
        drawn, week = Random(path), int(found[2])
        rows = [[hour, *drawn.sample(names, 5)] for hour in range(1, 7)]
        shown = (
            table(("Hour", *"MTWTF"), rows) if week in range(10, 14) else "<p>Not published.</p>"
        )
        links = [f"/class/{found[1]}/week/{other}" for other in (week - 1, week + 1)]
        return THEME(f"Class {found[1]}, week {week}", shown, links=links)

    doors = [f"/class/{at}/week/{week}" for at in CLASSES for week in range(10, 14)]
    return around(answer, doors=lambda number: [doors[number % len(doors)]])


DISHES = [words(f"dish {number}", 2) for number in range(12)]
OPEN = [date(2026, 3, 2) + timedelta(days=day) for day in range(120) if day % 7 < 5]


@endless(
    tolerated=r"/menu/.*",
    most=60,
    also=lambda: frozenset(f"/menu/{day}" for day in OPEN),
)
@behind(r"/menu/(.*)", doors=lambda _: [f"/menu/{OPEN[0]}"])
def canteen(found: re.Match[str]) -> Answer | None:
    """Menus of some months, each of the same few dishes, amid days without end that have none."""
    try:
        day = date.fromisoformat(found[1])
        near = [day + timedelta(days=step) for step in (-1, 1)]
    except (ValueError, OverflowError):
        return None
    dishes = ", ".join(Random(found[0]).sample(DISHES, 3)) if day in OPEN else "Closed"
    return THEME(f"Menu of {day}", f"<p>{dishes}.</p>", links=[f"/menu/{each}" for each in near])


@endless(tolerated=r"/book\?.*", most=30, requests=300)
@behind(
    r"/book\?arrival=(\d{4}-\d\d-\d\d)&nights=(\d+)&room=(\d)",
    doors=lambda _: ["/book?arrival=2026-06-01&nights=1&room=1"],
)
def booking(found: re.Match[str]) -> Answer | None:
    """Rooms to book, by arrival and number of nights: every combination is a page."""
    try:
        day = date.fromisoformat(found[1])
        near = [day + timedelta(days=step) for step in (-1, 1, 7)]
    except (ValueError, OverflowError):
        return None
    nights, room = int(found[2]), found[3]
    links = [f"/book?arrival={other}&nights={nights}&room={room}" for other in near]
    links += [f"/book?arrival={day}&nights={nights + 1}&room={n}" for n in range(1, 5)]
    price = f"<p>{nights} nights: {nights * 85} euros. Book now.</p>"
    return THEME(f"Room {room}", price, links=links)


@endless(tolerated=r"/diary\?month=.*")
@behind(r"/diary\?month=(\d{1,5})", doors=lambda _: ["/diary?month=300"])
def calendar_of_buttons(found: re.Match[str]) -> Answer:
    """Empty months behind buttons and a menu that scripts follow."""
    month = int(found[1])
    buttons = "".join(
        f"<button onclick=\"location='/diary?month={other}'\">Turn</button>"
        for other in (max(month - 1, 0), month + 1)
    )
    options = "".join(
        f'<option value="/diary?month={month + step}">{step}</option>' for step in range(2, 12)
    )
    menu = f'<select onchange="location=this.value">{options}</select>'
    return THEME("Diary", f"<p>No entries.</p>{buttons}{menu}")


STATIONS = [words(f"station {number}", 1) for number in range(12)]


def _timetable(*stations: str, day: date = date(2026, 6, 1), hour: int = 8) -> str:
    start, end = stations
    return f"/trains?from={start}&to={end}&date={day}&time={hour}"


@endless(tolerated=r"/trains\?.*", most=150)
@behind(
    r"/trains\?from=([a-z]+)&to=([a-z]+)(?:&date=(\d{4}-\d\d-\d\d)&time=(\d+))?",
    doors=lambda n: [f"/trains?from={STATIONS[n % 12]}&to={STATIONS[(n + 1 + n // 12) % 12]}"],
)
def timetables(found: re.Match[str]) -> Answer | None:
    """Trains from station to station, earlier and later, the day before and after."""
    try:
        day, hour = date.fromisoformat(found[3] or "2026-06-01"), int(found[4] or 8)
        days = [day + timedelta(days=step) for step in (-1, 1)]
    except (ValueError, OverflowError):
        return None
    start, end = found[1], found[2]
    minute = int(digest(start, end), 16) % 60
    rows = [(f"{(hour + each) % 24}:{minute:02}", f"{minute % 7} changes") for each in range(8)]
    links = [_timetable(start, end, day=each) for each in days]
    links += [_timetable(start, end, day=day, hour=(hour + step) % 24) for step in (-4, 4)]
    links.append(f"/trains?from={end}&to={start}")
    text = f"<p>On {day:%A, %d %B %Y}</p>{table(('Time', 'Changes'), rows)}"
    return THEME(f"{start} to {end}", text, links=links)
