"""Words for the texts of real systems, for scripts that run in other environments."""

import random

NOUNS = [
    *("apple", "river", "stone", "bridge", "valve", "pump", "motor", "cable", "switch", "lamp"),
    *("garden", "market", "winter", "summer", "letter", "paper", "forest", "mountain", "signal"),
    *("engine", "filter", "copper", "silver", "window", "table", "chair", "ladder", "anchor"),
    *("harbor", "island", "castle", "tower", "meadow", "orchard", "bakery", "kettle", "bottle"),
]


def words(chance: random.Random, number: int) -> str:
    """Nouns in a row."""
    return " ".join(chance.choices(NOUNS, k=number))


def paragraph(chance: random.Random, sentences: int) -> str:
    """Sentences of 8 to 14 nouns."""
    texts = (words(chance, chance.randint(8, 14)).capitalize() for _ in range(sentences))
    return " ".join(f"{text}." for text in texts)
