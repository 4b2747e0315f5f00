"""Finite sites whose pages are tables: the words are the same, the numbers are the content."""

from datetime import date, timedelta
from random import Random

from tests.helpers.server import Answer
from tests.spaces.pages import Theme, chunks, pick, steps, table, vocabulary, words
from tests.spaces.space import Pages, honest

CURRENCIES = ("US dollar", "Yen", "Pound", "Franc", "Krona", "Zloty", "Lira", "Rand")


def _rates(seed: str, number: int, low: float = 0.5, high: float = 150.0) -> list[str]:
    random = Random(seed)
    return [f"{random.uniform(low, high):.4f}" for _ in range(number)]


@honest()
def exchange_rates() -> Pages:
    """Rates of 312 days, linked by Previous and Next and from the pages of the months."""
    theme = Theme("Exchange rates", ("/rates/", "Archive"))
    days = [date(2024, 3, 1) + timedelta(days=number) for number in range(312)]
    addresses = [f"/rates/{day}" for day in days]
    months = sorted({f"/rates/{day:%Y-%m}" for day in days})
    result = {
        "/": theme("Exchange rates", "<p>The rates of the bank.</p>"),
        "/rates/": theme("Archive", links=months),
    }
    for month in months:
        within = [address for address in addresses if address.startswith(month)]
        result[month] = theme(f"Rates of {month[7:]}", links=within)
    for place, address in enumerate(addresses):
        rows = list(zip(CURRENCIES, _rates(address, len(CURRENCIES))))
        links = steps(addresses, place)
        result[address] = theme("Rates", table(("Currency", "Rate"), rows), links=links)
    return result


@honest()
def rates_by_next() -> Pages:
    """Rates of 312 days, linked by Previous alone from today's, behind ?date=."""
    theme = Theme("Exchange rates")
    days = [date(2024, 3, 1) + timedelta(days=number) for number in range(312)]
    addresses = [f"/rates.php?date={day:%d.%m.%Y}" for day in reversed(days)]
    result = {"/": theme("Exchange rates", links=addresses[:1])}
    for place, address in enumerate(addresses):
        rows = list(zip(CURRENCIES, _rates(address, len(CURRENCIES))))
        links = [(each, "Day before") for each in addresses[place + 1 : place + 2]]
        result[address] = theme("Rates", table(("Currency", "Rate"), rows), links=links)
    return result


@honest()
def charts() -> Pages:
    """The charts of 260 weeks: the same 30 names in another order."""
    theme = Theme("Charts")
    weeks = [(year, week) for year in range(2019, 2024) for week in range(1, 53)]
    addresses = [f"/charts/{year}-W{week:02}" for year, week in weeks]
    names = vocabulary("artists", 30)
    result = {"/": theme("Charts", links=addresses[::52])}
    for place, address in enumerate(addresses):
        rows = list(enumerate(Random(address).sample(names, 10), 1))
        links = steps(addresses, place)
        result[address] = theme("Charts", table(("Place", "Artist"), rows), links=links)
    return result


@honest()
def weather() -> Pages:
    """40 stations with 6 types of tables each, ?station=&type=."""
    types = ("rain", "sun", "wind", "temperature", "pressure", "snow")
    theme = Theme("Weather")
    result: dict[str, Answer] = {}
    addresses = [f"/data?station={1000 + 7 * number}" for number in range(40)]
    for address in addresses:
        links = [(f"{address}&type={each}", each) for each in types]
        for each in types:
            target = f"{address}&type={each}"
            rows = list(enumerate(_rates(target, 12), 1))
            result[target] = theme(each.title(), table(("Month", "Value"), rows), links=links)
    links = [(f"{address}&type=rain", address[-4:]) for address in addresses]
    return {"/": theme("Weather", links=links), **result}


@honest()
def weather_of_all() -> Pages:
    """The same with all links on each page, as facets have them."""
    theme = Theme("Weather")
    stations, years = [f"S{number:02}" for number in range(30)], range(2015, 2023)
    result: dict[str, Answer] = {}
    for station in stations:
        for year in years:
            links = [(f"/climate?station={each}&year={year}", each) for each in stations]
            links += [(f"/climate?station={station}&year={each}", str(each)) for each in years]
            target = f"/climate?station={station}&year={year}"
            rows = list(enumerate(_rates(target, 12, -10, 30), 1))
            facts = table(("Month", "Mean"), rows)
            result[target] = theme(f"Climate {station} {year}", facts, links=links)
    return {"/": theme("Weather", links=["/climate?station=S00&year=2015"]), **result}


@honest()
def timetable() -> Pages:
    """Timetables of 34 lines on 7 days, ?line=&day=."""
    days = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
    theme = Theme("Buses")
    result: dict[str, Answer] = {}
    stops = [word.title() for word in vocabulary("stops", 12)]
    for line in range(1, 35):
        links = [(f"/timetable?line={line}&day={day}", day) for day in days]
        for day in days:
            target = f"/timetable?line={line}&day={day}"
            random = Random(target)
            rows = [
                (stop, *(f"{random.randint(5, 23)}:{random.randint(0, 59):02}" for _ in range(6)))
                for stop in stops
            ]
            result[target] = theme("Timetable", table(("Stop", *range(1, 7)), rows), links=links)
    links = [(f"/timetable?line={line}&day=mon", f"Line {line}") for line in range(1, 35)]
    return {"/": theme("Buses", links=links), **result}


@honest()
def football() -> Pages:
    """Results of 34 matchdays of 7 seasons between the same 18 clubs."""
    clubs = [word.title() for word in vocabulary("clubs", 18)]
    theme = Theme("Football")
    result: dict[str, Answer] = {}
    seasons = [f"/results/{year}-{(year + 1) % 100:02}" for year in range(2015, 2022)]
    for season in seasons:
        days = [f"{season}/matchday/{number}" for number in range(1, 35)]
        result[season] = theme(f"Season {season[9:]}", links=days)
        for place, address in enumerate(days):
            random = Random(address)
            order = random.sample(clubs, 18)
            rows = [
                (order[n], order[n + 1], f"{random.randint(0, 5)}:{random.randint(0, 4)}")
                for n in range(0, 18, 2)
            ]
            links = steps(days, place)
            title = f"Matchday {place + 1}"
            result[address] = theme(title, table(("Home", "Away", "Goals"), rows), links=links)
    return {"/": theme("Football", links=seasons), **result}


@honest()
def postcodes() -> Pages:
    """Price lists of 300 postcodes, from ten pages of regions."""
    theme = Theme("Electricity")
    codes = [str(10115 + 137 * number) for number in range(300)]
    regions = {
        f"/region/{n}": [f"/prices/{code}" for code in group]
        for n, group in enumerate(chunks(codes, 30))
    }
    result = {"/": theme("Electricity", links=list(regions))}
    for region, addresses in regions.items():
        result[region] = theme(f"Region {region[-1]}", links=addresses)
        for address in addresses:
            rows = list(zip(("Basic", "Green", "Night"), _rates(address, 3, 20, 40)))
            result[address] = theme("Prices", table(("Tariff", "Cents"), rows))
    return result


@honest()
def sensors() -> Pages:
    """200 sensors whose pages are numbers alone, without a word."""
    theme = Theme("Sensors")
    addresses = [f"/sensor/{number}" for number in range(1, 201)]
    result = {"/": theme("Sensors", links=addresses[:20])}
    for place, address in enumerate(addresses):
        body = "<p>{}</p>".format(" ".join(_rates(address, 8)))
        result[address] = theme("Sensor", body, links=addresses[place + 20 : place + 22])
    return result


@honest()
def lottery() -> Pages:
    """400 draws of six numbers, by number, Previous and Next alone."""
    theme = Theme("Lottery")
    addresses = [f"/draw?no={number}" for number in range(4000, 4400)]
    result = {"/": theme("Lottery", links=addresses[-1:])}
    for place, address in enumerate(addresses):
        drawn = sorted(Random(address).sample(range(1, 50), 6))
        body = f"<p>Drawn: {' '.join(map(str, drawn))}</p>"
        result[address] = theme("Draw", body, links=steps(addresses, place))
    return result


@honest()
def lottery_by_year() -> Pages:
    """Draws by year and number, named like the list of the newest one, which has news beside it."""
    theme = Theme("Lottery by year")
    addresses = [f"/draws?no={no}&year={year}" for year in range(2019, 2024) for no in range(1, 53)]
    news = [f"/news/{each}" for each in vocabulary("lottery news", 6)]
    result = {
        "/": theme("Lottery by year", links=["/draws"]),
        **{each: theme(each) for each in news},
    }
    for place, address in enumerate(addresses):
        drawn = sorted(Random(address).sample(range(1, 50), 6))
        body = f"<p>Drawn: {' '.join(map(str, drawn))}</p>"
        result[address] = theme("Draw", body, links=steps(addresses, place))
    result["/draws"] = theme("Draw", "<p>Drawn: 3 9 21 33 40 41</p>", links=[*news, addresses[-1]])
    return result


@honest()
def forecasts() -> Pages:
    """Forecasts for 90 towns under one title; without a town, that for the capital."""
    theme = Theme("Weather")
    towns = vocabulary("weather", 90)
    terms = pick("weather terms", vocabulary("weather terms", 60), 40)
    what = ("Today", "Tomorrow", "Wind", "Rain", "Sun", "Pressure")

    def shown(town: str) -> str:
        return table(("What", "Value"), zip(what, _rates(town, 6))) + f"<p>{terms}.</p>"

    every = [f"/weather?town={town}" for town in towns]
    result = {address: theme("Weather", shown(address), links=["/weather"]) for address in every}
    result["/weather"] = theme("Weather", shown("capital"), links=every)
    return {"/": theme("Home", links=["/weather"]), **result}


@honest()
def statistics() -> Pages:
    """Tables by ?region=&year=, 16 regions and 15 years, from a form of links."""
    theme = Theme("Office of statistics")
    regions = vocabulary("regions", 16)
    result: dict[str, Answer] = {}
    for region in regions:
        links = [(f"/table?region={region}&year={year}", str(year)) for year in range(2008, 2023)]
        result[f"/region/{region}"] = theme(f"Region {region}", links=links)
        for target, _ in links:
            rows = list(zip(("Births", "Deaths", "Moves"), Random(target).sample(range(9999), 3)))
            result[target] = theme("Population", table(("What", "Number"), rows))
    return {"/": theme("Statistics", links=[f"/region/{each}" for each in regions]), **result}


@honest()
def tides() -> Pages:
    """Tide tables of 5 harbours for 48 months: /tides/HARBOUR/2022/03."""
    theme = Theme("Tides")
    result: dict[str, Answer] = {}
    harbours = vocabulary("harbours", 5)
    for harbour in harbours:
        months = [
            f"/tides/{harbour}/{year}/{month:02}"
            for year in range(2021, 2025)
            for month in range(1, 13)
        ]
        result[f"/tides/{harbour}/"] = theme(f"Harbour {harbour}", links=months[::12])
        for place, address in enumerate(months):
            rows = list(enumerate(_rates(address, 28, 0, 6), 1))
            links = steps(months, place)
            result[address] = theme("Tides", table(("Day", "Metres"), rows), links=links)
    return {"/": theme("Tides", links=[f"/tides/{each}/" for each in harbours]), **result}


@honest()
def places_by_coordinates() -> Pages:
    """160 stations by ?lat=&lon=, linked from the nearest ones."""
    theme = Theme("Stations")
    random = Random("stations")
    at = sorted(
        {(f"{random.uniform(47, 55):.2f}", f"{random.uniform(6, 15):.2f}") for _ in range(160)}
    )
    addresses = [f"/station?lat={lat}&lon={lon}" for lat, lon in at]
    names = vocabulary("station names", 40)
    result = {"/": theme("Stations", links=addresses[::16])}
    for place, address in enumerate(addresses):
        near = [*addresses[max(place - 2, 0) : place], *addresses[place + 1 : place + 3]]
        facts = f"{random.randint(1, 900)} m, {random.randint(1, 99)} mm"
        text = f"<p>{pick(address, names, 2)}, {facts}.</p>"
        result[address] = theme("Station", text, links=near)
    return result


@honest()
def elections() -> Pages:
    """Results of 299 districts by number, the same parties everywhere."""
    theme = Theme("Election", ("/districts", "Districts"))
    addresses = [f"/results/district-{number}.html" for number in range(1, 300)]
    result = {
        "/": theme("Election", "<p>Results.</p>"),
        "/districts": theme("Districts", links=addresses),
    }
    for number, address in enumerate(addresses, 1):
        rows = list(zip("ABCDEF", _rates(address, 6, 1, 40)))
        result[address] = theme(f"District {number}", table(("Party", "Share"), rows))
    return result


@honest()
def multiplication() -> Pages:
    """240 pages whose numbers follow from their URL: finite, and every page real."""
    theme = Theme("Sums", ("/", "All"))
    addresses = [f"/times/{number}" for number in range(1, 241)]
    result = {"/": theme("Sums", links=addresses)}
    for number, address in enumerate(addresses, 1):
        rows = [(f"{number} x {n}", number * n) for n in range(1, 11)]
        result[address] = theme(f"The table of {number}", table(("Sum", "Result"), rows))
    return result


@honest(views=r"/photo\?n=[6-9]\d")
def photos_with_a_gap() -> Pages:
    """159 photos, each linked by the ones before and after it; 40 in a row are removed."""
    theme = Theme("Photos", ("/photo?n=1", "Photos"))
    addresses = [f"/photo?n={number}" for number in range(1, 160)]
    result = {"/": theme("Photos", "<p>Photos.</p>")}
    for place, address in enumerate(addresses):
        is_removed = 60 <= place + 1 < 100
        text = "This photo was removed." if is_removed else f"{words(address, 24)}."
        result[address] = theme(
            f"Photo {place + 1}", f"<p>{text}</p>", links=steps(addresses, place)
        )
    return result
