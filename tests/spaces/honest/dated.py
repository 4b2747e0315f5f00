"""Finite sites with dates in their addresses."""

from calendar import month_name
from datetime import date, timedelta
from random import Random

from tests.helpers.server import Answer
from tests.spaces.pages import Link, Theme, anchors, chunks, pick, steps, table, vocabulary, words
from tests.spaces.space import Pages, honest


@honest()
def decisions() -> Pages:
    """466 decisions of a court, linked from the pages of 91 months."""
    theme = Theme("Court", ("/decisions", "Decisions"))
    months = [f"{2014 + n // 12}/{n % 12 + 1:02}" for n in range(91)]
    legal = vocabulary("law", 40)
    result = {
        "/": theme("Court", "<p>The court.</p>"),
        "/decisions": theme("Decisions", links=[f"/decisions/{month}" for month in months]),
    }
    numbers = [466 * (n + 1) // 91 - 466 * n // 91 for n in range(91)]
    for number, month in zip(numbers, months):
        within = [f"/decision/{month}/{17 + n}-{100 + 23 * n}" for n in range(number)]
        result[f"/decisions/{month}"] = theme("Decisions", links=within)
        for address in within:
            reference = f"{address[13:15]} K {address.rpartition('/')[2]}"
            text = f"<p>{pick(address, legal, 12)}.</p>"
            result[address] = theme(f"Decision {reference}", text)
    return result


@honest(views=r"/\d{4}/\d\d/\d\d/|/\d{4}/(?:\d\d/)?|/page/\d+/")
def blog_archives() -> Pages:
    """A blog of 120 posts with archives by year, month and day that repeat them."""
    theme = Theme("A blog", ("/2023/", "2023"), ("/2024/", "2024"))
    days = [date(2023, 1, 3) + timedelta(days=6 * number) for number in range(120)]
    posts = {f"/{day:%Y/%m/%d}/{words(f'post {day}', 2).replace(' ', '-')}/": day for day in days}
    addresses = list(posts)
    result: dict[str, Answer] = {}
    for place, (address, day) in enumerate(posts.items()):
        body = f"<p>{words(address, 40)}.</p>"
        links: list[Link] = [f"/{day:%Y/%m/%d}/", f"/{day:%Y/%m}/", *steps(addresses, place)]
        result[address] = theme(words(f"post {day}", 2), body, links=links)
    for depth in (3, 4, 5):
        found = {"/".join(address.split("/")[: depth - 1]) + "/" for address in posts}
        for archive in sorted(found):
            posted = [address for address in addresses if address.startswith(archive)]
            teasers = "".join(f"<p>{words(each, 12)}</p>" for each in posted)
            result[archive] = theme(f"Archive {archive}", teasers, links=posted)
    lists = ["/", *(f"/page/{page}/" for page in range(2, 13))]
    for place, group in enumerate(chunks(addresses[::-1], 10)):
        teasers = "".join(f"<p>{words(each, 12)}</p>" for each in group)
        result[lists[place]] = theme(
            "A blog", teasers, anchors(group), anchors(steps(lists, place))
        )
    return result


@honest()
def club_months() -> Pages:
    """36 linked months of a club, most of them without an event."""
    theme = Theme("A club", ("/calendar/2023/01", "Calendar"))
    months = [f"/calendar/{2023 + n // 12}/{n % 12 + 1:02}" for n in range(36)]
    result = {"/": theme("A club", "<p>We sail.</p>")}
    for place, address in enumerate(months):
        day = place * 7 % 28 + 1
        text = f"<p>{day}th: {words(address, 5)}</p>" if place % 3 == 0 else "<p>No events.</p>"
        title = f"{month_name[place % 12 + 1]} {2023 + place // 12}"
        result[address] = theme(title, text, links=steps(months, place))
    return result


@honest()
def event_days() -> Pages:
    """110 days with an event, ?date=, each leading to the next one that has one."""
    theme = Theme("Concerts")
    days = [date(2024, 1, 5) + timedelta(days=3 * n + n % 2) for n in range(110)]
    addresses = [f"/programme?date={day}" for day in days]
    result = {"/": theme("Concerts", links=addresses[:1])}
    pieces = vocabulary("pieces", 30)
    for place, address in enumerate(addresses):
        text = f"<p>20:00 {pick(address, pieces, 3)}</p>"
        result[address] = theme("Programme", text, links=steps(addresses, place))
    return result


@honest()
def newspaper() -> Pages:
    """The archive of a newspaper: a page for each of 150 days that leads to two articles."""
    theme = Theme("Newspaper", ("/archive/2019/01/01", "Archive"))
    days = [date(2019, 1, 1) + timedelta(days=n) for n in range(150)]
    addresses = [f"/archive/{day:%Y/%m/%d}" for day in days]
    result = {"/": theme("Newspaper", "<p>News.</p>")}
    for place, (day, address) in enumerate(zip(days, addresses)):
        articles = [f"/article/{20_000 + 2 * place + n}" for n in (0, 1)]
        title = f"{day.day} {month_name[day.month]} {day.year}"
        result[address] = theme(title, anchors(articles), links=steps(addresses, place))
        for article in articles:
            result[article] = theme(words(article, 3), f"<p>{words(f'{article}!', 30)}.</p>")
    return result


@honest()
def on_this_day() -> Pages:
    """366 days of a year by name, a sentence each."""
    theme = Theme("On this day")
    days = [date(2024, 1, 1) + timedelta(days=n) for n in range(366)]
    addresses = [f"/{month_name[day.month].lower()}/{day.day}" for day in days]
    months = [f"/{name.lower()}/" for name in month_name if name]
    result = {"/": theme("On this day", links=months)}
    for month in months:
        within = [each for each in addresses if each.startswith(month)]
        result[month] = theme(month.strip("/").title(), links=within)
    for place, address in enumerate(addresses):
        text = f"<p>{1500 + place}: {words(address, 3)}.</p>"
        result[address] = theme("On this day", text, links=steps(addresses, place))
    return result


@honest()
def minutes() -> Pages:
    """180 minutes of a council by compact date, /minutes/20190305.html, much alike."""
    theme = Theme("Council", ("/minutes/", "Minutes"))
    days = [date(2017, 1, 10) + timedelta(days=14 * n) for n in range(180)]
    addresses = [f"/minutes/{day:%Y%m%d}.html" for day in days]
    result = {"/": theme("Council", "<p>The council.</p>")}
    result["/minutes/"] = theme("Minutes", links=addresses)
    names = vocabulary("council", 25)
    for place, address in enumerate(addresses):
        text = f"<p>Present: {pick(address, names, 8)}. Ends at {20 + place % 3}:{place % 6}0.</p>"
        result[address] = theme("Minutes", text)
    return result


@honest(views=r"/calendar\?month=\d\d&view=(?:month|week|list)&year=2024|/calendar")
def calendar_views() -> Pages:
    """A calendar of one year: 12 months in three views, and 100 events."""
    theme = Theme("Town", ("/calendar", "Calendar"))
    result = {"/": theme("Town", "<p>A town.</p>")}
    events = {month: [f"/event/{month:02}-{n}" for n in range(8)] for month in range(1, 13)}
    for month, within in events.items():
        base = f"/calendar?month={month:02}"
        views = [f"{base}&view={view}&year=2024" for view in ("month", "week", "list")]
        near = [
            f"/calendar?month={n:02}&view=month&year=2024"
            for n in (month - 1, month + 1)
            if 0 < n < 13
        ]
        for view in views:
            shown = within if "week" not in view else within[:2]
            result[view] = theme(f"{month_name[month]}", anchors(shown), links=[*views, *near])
        for event in within:
            result[event] = theme(words(event, 2), f"<p>{words(f'{event}!', 10)}.</p>")
    result["/calendar"] = result["/calendar?month=01&view=month&year=2024"]
    return result


@honest()
def tv_guide() -> Pages:
    """8 stations on 30 days: /tv/STATION/2024-05-01, the same films in another order."""
    theme = Theme("Television")
    stations, films = vocabulary("stations", 8), vocabulary("films", 60)
    days = [date(2024, 5, 1) + timedelta(days=n) for n in range(30)]
    result: dict[str, Answer] = {}
    for station in stations:
        addresses = [f"/tv/{station}/{day}" for day in days]
        for place, address in enumerate(addresses):
            shown = Random(address).sample(films, 12)
            rows = [(f"{n + 9}:{place * n % 6}0", film) for n, film in enumerate(shown)]
            others = [f"/tv/{each}/{days[place]}" for each in stations]
            links: list[Link] = [*steps(addresses, place), *others]
            result[address] = theme("Programme", table(("Time", "Film"), rows), links=links)
    return {"/": theme("Television", links=[f"/tv/{stations[0]}/{days[0]}"]), **result}


@honest(views=r"/day(\?d=.*)?")
def mornings_and_evenings() -> Pages:
    """90 days under one title, each the only way to two pages with the same parameter."""
    theme = Theme("Diary")
    days = [f"2024-{1 + n // 28:02d}-{1 + n % 28:02d}" for n in range(90)]
    result = {"/": theme("Diary", links=["/day", *(f"/day?d={day}" for day in days)])}
    for day in ["", *(f"?d={day}" for day in days)]:
        parts = [f"/morning{day}", f"/evening{day}"]
        result[f"/day{day}"] = theme("Day", links=parts)
        for part in parts:
            result[part] = theme("Part of a day", f"<p>{words(part, 20)}.</p>", links=["/day"])
    return result


@honest(views=r"/calendar\?.*")
def months_under_one_title() -> Pages:
    """60 events that only their months lead to, with 11 and with 20 months between some."""
    theme = Theme("Sailing", ("/calendar", "Events"))
    gaps = [20 if n == 30 else 11 if n % 10 == 0 else 0 for n in range(60)]
    events = [(sum(gaps[: n + 1]), (f"/event/{n}", f"Event {n}")) for n in range(60)]
    last, result = events[-1][0], {"/": theme("Sailing")}
    for month in range(-30, last + 30):
        near = [other for other in (month - 1, month + 1) if -30 <= other < last + 30]
        links = [f"/calendar?month={n % 12 + 1}&year={2016 + n // 12}" for n in near]
        shown = anchors(link for at, link in events if at == month)
        page = theme("Events", shown or "<p>No events.</p>", links=links)
        result[f"/calendar?month={month % 12 + 1}&year={2016 + month // 12}"] = page
        if month == last:
            result["/calendar"] = page
    for _, (address, name) in events:
        result[address] = theme(name, f"<p>{words(address, 30)}.</p>")
    return result


def _diary(month: str, day: str, title: str) -> Pages:
    """150 days of a diary, whole in the lists of their months, which have the same parameter.

    ``month``, ``day``: formats of their addresses; ``title``: that of the title of a page.
    """
    theme = Theme("Diary", ("/about", "About"))
    days = [date(2022, 3, 1) + timedelta(days=5 * n + n % 4) for n in range(150)]
    addresses = [f"{each:{day}}" for each in days]
    months = list(dict.fromkeys(f"{each:{month}}" for each in days))
    topics = [f"/topic/{words(f'topic {n}', 1)}" for n in range(60)]
    texts = {
        each: f"<p>{words(each, 60)}.</p>{anchors([topics[place % 60]])}"
        for place, each in enumerate(addresses)
    }
    result: dict[str, Answer] = {
        "/": theme("Diary", *(texts[each] for each in addresses[-10:]), links=months),
        "/about": theme("About", f"<p>{words('about', 40)}.</p>"),
        **{each: theme(each[7:], f"<p>{words(each, 40)}.</p>") for each in topics},
    }
    for place, (address, each) in enumerate(zip(addresses, days)):
        result[address] = theme(f"{each:{title}}", texts[address], links=steps(addresses, place))
    for place, address in enumerate(months):
        within = [each for each, at in zip(addresses, days) if f"{at:{month}}" == address]
        shown = "".join(texts[each] + anchors([each]) for each in within)
        head = f"{days[addresses.index(within[0])]:{title}}"
        result[address] = theme(head, shown, links=steps(months, place))
    return result


@honest()
def diary_by_date() -> Pages:
    """Days whose titles have the date, by a parameter, as those of tDiary."""
    return _diary("/?date=%Y%m", "/?date=%Y%m%d", "Diary(%Y-%m-%d)")


@honest()
def diary_by_path() -> Pages:
    """The same by path."""
    return _diary("/diary/%Y%m", "/diary/%Y%m%d", "Diary %-d.%-m.%Y")


@honest()
def diary_by_parts_of_a_date() -> Pages:
    """The same by three parameters."""
    return _diary("/day?y=%Y&m=%m", "/day?y=%Y&m=%m&d=%d", "Diary %-m/%-d/%Y")


@honest()
def puzzles_of_the_day() -> Pages:
    """120 days, each with a grid of the same digits in its own order, /puzzle/2026-07-31."""
    days = [f"/puzzle/{date(2026, 4, 3) + timedelta(days=number)}" for number in range(120)]
    theme = Theme("Puzzles", (days[-1], "Today"))
    result = {"/": theme("Puzzles", "<p>One for each day.</p>")}
    for place, address in enumerate(days):
        random = Random(address)
        rows = [[random.choice("123456789  ") for _ in range(9)] for _ in range(9)]
        grid = table(range(1, 10), rows)
        result[address] = theme(f"Puzzle of {address[8:]}", grid, links=steps(days, place))
    return result


@honest()
def minutes_under_dates() -> Pages:
    """120 months, the one before as the only link, each with a document /minutes/2025-04."""
    theme = Theme("Council", ("/meetings/2026/11", "Meetings"))
    months = [(2016 + (n + 11) // 12, (n + 11) % 12 + 1) for n in range(120)]
    result = {"/": theme("Council", "<p>The council meets once a month.</p>")}
    for place, (year, month) in enumerate(months):
        document, name = f"/minutes/{year}-{month:02}", f"{month}/{year}"
        links: list[Link] = [(document, "Minutes of the council")]
        links += [(f"/meetings/{y}/{m}", "Before") for y, m in months[max(place - 1, 0) : place]]
        result[f"/meetings/{year}/{month}"] = theme(f"Meetings in {name}", links=links)
        result[document] = theme(f"Minutes of {name}", f"<p>{words(document, 60)}.</p>")
    return result
