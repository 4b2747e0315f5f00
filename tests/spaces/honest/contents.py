"""Finite sites whose pages differ by something else than Latin words of prose."""

from random import Random

from tests.helpers.server import Answer
from tests.spaces.pages import Theme, anchors, chunks, digest, listing, pick, steps, vocabulary
from tests.spaces.space import Pages, honest

PLAIN = vocabulary("contents", 60)


@honest()
def chess() -> Pages:
    """200 games: the moves are all of their text, and each has a digit."""
    theme = Theme("Chess", ("/games", "Games"))
    lists = ["/games", *(f"/games?page={page}" for page in range(2, 9))]
    items = [(f"/game/{8000 + 3 * n}", f"{1900 + n % 90}.{n % 12 + 1}") for n in range(200)]
    result = listing(theme, "Games", lists, items, is_numbered=True)
    for address, name in items:
        random = Random(address)
        moves = [
            f"{random.choice('NBRQK')}{random.choice('abcdefgh')}{random.randint(1, 8)}"
            for _ in range(40)
        ]
        result[address] = theme(name, f"<p>{' '.join(moves)}</p>")
    return {"/": theme("Chess", "<p>Games.</p>"), **result}


@honest()
def colours() -> Pages:
    """216 colours, /color/ff6600: the numbers follow from the address, and there is an end."""
    theme = Theme("Colours")
    levels = ("00", "33", "66", "99", "cc", "ff")
    names = [r + g + b for r in levels for g in levels for b in levels]
    result = {"/": theme("Colours", links=["/color/000000"])}
    for place, name in enumerate(names):
        near = [names[(place + step) % 216] for step in (1, 6, 36)]
        numbers = ", ".join(str(int(name[start : start + 2], 16)) for start in (0, 2, 4))
        text = f"<p>rgb({numbers})</p>"
        result[f"/color/{name}"] = theme(f"#{name}", text, links=[f"/color/{n}" for n in near])
    return result


@honest()
def characters() -> Pages:
    """256 characters, /char/U+4E00, a letter and its number each."""
    theme = Theme("Characters")
    codes = [f"{code:04X}" for code in range(0x4E00, 0x4F00)]
    rows = [f"/block/{number}" for number in range(1, 9)]
    result = {"/": theme("Characters", links=rows)}
    for row, group in zip(rows, chunks(codes, 32)):
        result[row] = theme(f"Block {row[7:]}", links=[f"/char/U+{code}" for code in group])
        for code in group:
            result[f"/char/U+{code}"] = theme(f"U+{code}", f"<p>{chr(int(code, 16))}</p>")
    return result


@honest()
def chinese() -> Pages:
    """240 entries ?id= whose texts are a few Chinese characters, in pages with Next alone."""
    theme = Theme("辞典", ("/list.php", "目录"))
    lists = ["/list.php", *(f"/list.php?page={page}" for page in range(2, 13))]
    items = []
    for number in range(240):
        random = Random(number)
        name = "".join(chr(random.randint(0x4E00, 0x5E00)) for _ in range(2))
        items.append((f"/show.php?id={number + 1}", name))
    result = listing(theme, "目录", lists, items, is_numbered=False)
    for address, name in items:
        text = "".join(chr(Random(f"{address}{n}").randint(0x4E00, 0x5E00)) for n in range(6))
        result[address] = theme(name, f"<p>{text}。</p>")
    return {"/": theme("辞典", "<p>欢迎。</p>"), **result}


@honest()
def embedded_films() -> Pages:
    """160 pages with the same words and another frame each."""
    theme = Theme("Films", ("/films", "Films"))
    addresses = [f"/film/{number}" for number in range(1, 161)]
    lists = ["/films", *(f"/films?page={page}" for page in range(2, 9))]
    result = {"/": theme("Films", "<p>Films.</p>")}
    for place, group in enumerate(chunks(addresses, 20)):
        result[lists[place]] = theme("Films", anchors(group), links=steps(lists, place))
    for address in addresses:
        source = f"https://player.example/embed/{digest(address)[:11]}"
        frame = f'<iframe src="{source}" width="560" height="315"></iframe>'
        result[address] = theme("Film", frame, "<p>Press the button to begin.</p>")
    return result


@honest()
def downloads() -> Pages:
    """180 publications: the same words, and a link to another file each."""
    theme = Theme("Publications", ("/publications", "All"))
    addresses = [f"/publication/{number}" for number in range(1, 181)]
    result = {"/": theme("Publications", "<p>Papers.</p>")}
    result["/publications"] = theme("All", links=addresses)
    for address in addresses:
        file = f'<p><a href="https://files.example/{digest(address)[:8]}.pdf">Download</a></p>'
        result[address] = theme("Publication", file)
    return result


@honest()
def releases() -> Pages:
    """150 releases, /release/1.2.3, and all notes say the same."""
    theme = Theme("A program", ("/releases", "Releases"))
    names = [f"{n // 50}.{n // 10 % 5}.{n % 10}" for n in range(150)]
    lists = ["/releases", *(f"/releases?page={page}" for page in range(2, 16))]
    items = [(f"/release/{name}", name) for name in names]
    result = listing(theme, "Releases", lists, items, is_numbered=False)
    for place, (address, name) in enumerate(items):
        text = f"<p>Bug fixes and improvements. {place * 37 % 900 + 100} kB.</p>"
        result[address] = theme(f"Release {name}", text)
    return {"/": theme("A program", "<p>A program.</p>"), **result}


@honest()
def years() -> Pages:
    """An article for each of 300 years, /wiki/1723, linked by years and centuries."""
    theme = Theme("History")
    addresses = [f"/wiki/{year}" for year in range(1700, 2000)]
    centuries = ["/wiki/18th_century", "/wiki/19th_century", "/wiki/20th_century"]
    result = {"/": theme("History", links=centuries)}
    for century, group in zip(centuries, chunks(addresses, 100)):
        result[century] = theme(century[6:].replace("_", " "), links=group)
    for place, address in enumerate(addresses):
        text = f"<p>{pick(address, PLAIN, 8)}.</p>"
        result[address] = theme(address[6:], text, links=steps(addresses, place))
    return result


@honest()
def titles() -> Pages:
    """200 songs: only the title of the document differs, and a file that is played."""
    theme = Theme("Songs", ("/songs", "Songs"))
    addresses = [f"/song?track={number}" for number in range(1, 201)]
    result: dict[str, Answer] = {"/": theme("Songs", "<p>Songs.</p>")}
    result["/songs"] = theme("Songs", links=addresses)
    for number, address in enumerate(addresses):
        player = f'<audio src="/mp3/{digest(number)[:8]}.mp3" controls></audio><p>Play</p>'
        song = theme(pick(address, PLAIN, 2), player)
        body = str(song.body).replace(f"<h1>{pick(address, PLAIN, 2)}</h1>", "<h1>Song</h1>")
        result[address] = song._replace(body=body)
    return result


@honest()
def numbered_folders() -> Pages:
    """A tree of numbers: /12/34/ leads to /12/34/56.html."""
    theme = Theme("Catalogue")
    result: dict[str, Answer] = {}
    shelves = [f"/{number}/" for number in range(10, 18)]
    for shelf in shelves:
        boxes = [f"{shelf}{number}/" for number in range(1, 7)]
        result[shelf] = theme(f"Shelf {shelf[1:-1]}", links=boxes)
        for box in boxes:
            sheets = [f"{box}{number}.html" for number in range(1, 7)]
            result[box] = theme(f"Box {box}", links=sheets)
            for sheet in sheets:
                text = f"<p>{pick(sheet, PLAIN, 5)}.</p>"
                result[sheet] = theme(f"Sheet {sheet[-6:-5]}", text)
    return {"/": theme("Catalogue", links=shelves), **result}


@honest()
def footers_of_numbers() -> Pages:
    """200 entries with a clock, a counter and a random word of the day on each page."""
    theme = Theme("Entries", ("/entries/", "Entries"))
    addresses = [f"/entries/{number}/" for number in range(1, 201)]
    lists = ["/entries/", *(f"/entries/page/{page}/" for page in range(2, 11))]
    items = [(address, f"Entry {address[9:-1]}") for address in addresses]
    result = listing(theme, "Entries", lists, items, is_numbered=False)
    for address, name in items:
        clock = Random(address)
        noise = f"{clock.randint(0, 23)}:{clock.randint(0, 59):02}, {clock.randint(999, 9999)}"
        text = (
            f"<p>{pick(address, PLAIN, 6)}.</p><p>{noise}, {pick(f'{address} day', PLAIN, 1)}</p>"
        )
        result[address] = theme(name, text)
    return {"/": theme("Entries", "<p>Entries.</p>"), **result}
