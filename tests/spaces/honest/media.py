"""Finite sites whose pages differ by an image, a sound or a film alone."""

from tests.helpers.server import Answer
from tests.spaces.pages import Theme, anchors, chunks, digest, image, steps, words
from tests.spaces.space import Pages, honest


@honest()
def photos() -> Pages:
    """300 photos by number, with the same title and another image each."""
    theme = Theme("Photos", ("/album", "Album"))
    lists = ["/album", *(f"/album?page={page}" for page in range(2, 16))]
    addresses = [f"/photo/{number}" for number in range(1, 301)]
    result = {"/": theme("Photos", "<p>Photos.</p>")}
    for place, group in enumerate(chunks(addresses, 20)):
        result[lists[place]] = theme("Album", anchors(group), links=steps(lists, place))
    for place, address in enumerate(addresses):
        photo = image(f"/photos/{address[7:]}-large.jpg")
        result[address] = theme("Photo", photo, links=steps(addresses, place))
    return result


@honest()
def slides() -> Pages:
    """20 galleries of 15 images, ?image= of a gallery, by Next alone."""
    theme = Theme("Galleries")
    result: dict[str, Answer] = {}
    galleries = [f"/gallery/{number}" for number in range(1, 21)]
    for gallery in galleries:
        name = words(gallery, 2)
        result[gallery] = theme(name, f"<p>{words(name, 9)}.</p>", links=[f"{gallery}?image=1"])
        addresses = [f"{gallery}?image={number}" for number in range(1, 16)]
        for place, address in enumerate(addresses):
            shown = image(f"/upload{gallery}/{place * 77 % 1009}.jpg", name)
            links = [(each, "Next") for each in addresses[place + 1 : place + 2]]
            result[address] = theme(name, shown, links=links)
    return {"/": theme("Galleries", links=galleries), **result}


@honest()
def maps() -> Pages:
    """160 sheets of a map, ?sheet=, each linked to its neighbours: only the images differ."""
    theme = Theme("Map")
    result: dict[str, Answer] = {}
    for row in range(10):
        for column in range(16):
            number = 16 * row + column + 1
            near = [
                f"/map?sheet={16 * r + c + 1}"
                for r, c in (
                    (row - 1, column),
                    (row, column - 1),
                    (row, column + 1),
                    (row + 1, column),
                )
                if 0 <= r < 10 and 0 <= c < 16
            ]
            result[f"/map?sheet={number}"] = theme("Map", image(f"/m/{number}.png"), links=near)
    return {"/": theme("Map", links=["/map?sheet=1"]), **result}


@honest()
def comics() -> Pages:
    """250 strips by number with First, Previous, Next and Last."""
    theme = Theme("A comic")
    addresses = [f"/comic/{number}/" for number in range(1, 251)]
    result = {"/": theme("A comic", links=addresses[-1:])}
    for place, address in enumerate(addresses):
        links = [(addresses[0], "First"), *steps(addresses, place), (addresses[-1], "Last")]
        strip = image(f"/strips/{words(address, 2)}.png")
        result[address] = theme("A comic", strip, links=links)
    return result


@honest()
def scanned_books() -> Pages:
    """8 books of 40 scanned pages each, /book/3/page/17."""
    theme = Theme("Library")
    result: dict[str, Answer] = {}
    books = [f"/book/{number}" for number in range(1, 9)]
    for book in books:
        addresses = [f"{book}/page/{number}" for number in range(1, 41)]
        result[book] = theme(words(book, 3), f"<p>{words(f'{book}!', 9)}.</p>", links=addresses[:1])
        for place, address in enumerate(addresses):
            scan = image(f"/scans{address}.jpg", "Scan")
            result[address] = theme(words(book, 3), scan, links=steps(addresses, place))
    return {"/": theme("Library", links=books), **result}


@honest()
def episodes() -> Pages:
    """200 episodes: a player and a number."""
    theme = Theme("Podcast", ("/episodes", "Episodes"))
    addresses = [f"/episode/{number}" for number in range(1, 201)]
    lists = ["/episodes", *(f"/episodes/{page}" for page in range(2, 11))]
    result = {"/": theme("Podcast", "<p>Talks.</p>")}
    for place, group in enumerate(chunks(addresses, 20)):
        result[lists[place]] = theme("Episodes", anchors(group), links=steps(lists, place))
    for number, address in enumerate(addresses, 1):
        player = f'<audio src="/mp3/{number:04}.mp3" controls></audio>'
        text = f"<p>{number * 13 % 60 + 5} minutes</p>"
        result[address] = theme(f"Episode {number}", player, text)
    return result


NOTICE = "The photos may be used in schools and museums if the archive is named. "


def _late_photos(attribute: str) -> Pages:
    theme = Theme("Archive", ("/album", "Album"))
    lists = ["/album", *(f"/album?page={page}" for page in range(2, 11))]
    addresses = [f"/photo?id={number}" for number in range(1, 201)]
    result = {"/": theme("Archive", "<p>Photos.</p>")}
    for place, group in enumerate(chunks(addresses, 20)):
        result[lists[place]] = theme("Album", anchors(group), links=steps(lists, place))
    for place, address in enumerate(addresses):
        photo = f'<p><img src="/blank.gif" {attribute}="/photos/{address[10:]}-large.jpg"></p>'
        notice = f"<p>{NOTICE * 3}</p>"
        result[address] = theme("Photo", photo, notice, links=steps(addresses, place))
    return result


@honest()
def photos_loaded_late() -> Pages:
    """200 photos by ?id= that a script loads, with the same title and the same notice."""
    return _late_photos("data-original")


@honest()
def photos_of_many_sizes() -> Pages:
    """The same, where only a set of sources names the photo."""
    return _late_photos("srcset")


@honest()
def curves() -> Pages:
    """156 charts of a week each, ?week=, as curves of SVG under the same title and notice."""
    theme = Theme("Gauge")
    addresses = [f"/gauge?week={number}" for number in range(1, 157)]
    result = {"/": theme("Gauge", links=addresses[-1:])}
    for place, address in enumerate(addresses):
        points = " ".join(f"L{x * 40} {place * 37 * x % 1009}" for x in range(1, 9))
        curve = f'<svg viewBox="0 0 400 1009"><path d="M0 0 {points}"/></svg>'
        result[address] = theme(
            "Level", curve, f"<p>{NOTICE * 3}</p>", links=steps(addresses, place)
        )
    return result


def _albums(address: str) -> Pages:
    """Four albums under hashes, of 20 photos that differ in their pictures alone."""
    albums = [digest("album", number) for number in range(4)]
    theme = Theme("Photos")
    result = {"/": theme("Photos", links=[f"/album/{album}" for album in albums])}
    for album in albums:
        photos = [address.format(album=album, number=number) for number in range(1, 21)]
        result[f"/album/{album}"] = theme(f"Album of {words(album, 2)}", links=photos)
        for place, photo in enumerate(photos):
            shown = image(f"/img/{album}-{place}.jpg")
            links = [f"/album/{album}", *steps(photos, place)]
            result[photo] = theme(f"Photo {place + 1}", shown, links=links)
    return result


@honest()
def photos_of_albums() -> Pages:
    """The album is a parameter: /photo?album=3fa9c1d2&n=7."""
    return _albums("/photo?album={album}&n={number}")


@honest()
def photos_below_albums() -> Pages:
    """The same in paths: /a/3fa9c1d2/photo-7."""
    return _albums("/a/{album}/photo-{number}")
