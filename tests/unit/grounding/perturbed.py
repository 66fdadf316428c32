"""Thousands of phrases with a known answer, made from the pages: labels as people misremember them.

Each is asked twice: of the page, and of the page without the element that is meant, where finding
anything is wrong.
"""

import random
from collections import Counter
from collections.abc import Iterator

from app.domain.page import Node, Tree
from app.grounding.labels import MEANINGS, label
from tests.unit.grounding.held_out import HELD_OUT
from tests.unit.grounding.labelled import TUNED


def examples(seed: int) -> Iterator[tuple[Tree, str, str | None]]:
    """(page, phrase, id of what is meant or None when the page has not got it)."""
    chance = random.Random(seed)
    pages = list({id(case.page): case.page for case in [*TUNED, *HELD_OUT]}.values())
    for page in pages:
        names = Counter(label(node.name).folded for node in page)
        for node in page:
            if node.role == "txt" or not node.name or names[label(node.name).folded] > 1:
                continue
            rest = Tree.of(other for other in page if other is not node)
            for phrase in said(node, chance):
                yield page, phrase, node.id
                if not anyones_guess(phrase, rest):
                    yield rest, phrase, None


def anyones_guess(phrase: str, page: Tree) -> bool:
    """Whether some label still holds every word of the phrase, so that finding it is not wrong."""
    words = set(label(phrase).words)
    return any(words <= set(label(node.name).words) for node in page)


def said(node: Node, chance: random.Random) -> list[str]:
    """The label as a person may say it: exactly, in part, misspelt, in other words, turned round."""
    words = label(node.name).folded.split()
    made = [node.name, " ".join(words)]
    if len(words) > 1:
        made += [
            " ".join(words[:-1]),
            " ".join(words[1:]),
            " ".join(reversed(words)),
            chance.choice(words),
        ]
        made.append("the " + " ".join(word for word in words if word != chance.choice(words)))
    made += [misspelt(" ".join(words), chance) for _ in range(2)]
    made += [
        " ".join([*words, extra])
        for extra in chance.sample(["button", "page", "option", "form"], 2)
    ]
    return [
        phrase for phrase in dict.fromkeys([*made, *otherwise(words, chance)]) if phrase.strip()
    ]


def misspelt(text: str, chance: random.Random) -> str:
    if len(text) < 4:
        return text
    at = chance.randrange(1, len(text) - 1)
    return chance.choice(
        [text[:at] + text[at + 1 :], text[:at] + text[at + 1] + text[at] + text[at + 2 :]]
    )


def otherwise(words: list[str], chance: random.Random) -> list[str]:
    """One word replaced by another of the same meaning."""
    table = {spelling: line.split("|") for line in MEANINGS for spelling in line.split("|")}
    made = []
    for at, word in enumerate(words):
        others = [spelling for spelling in table.get(word, ()) if spelling != word]
        if others:
            made.append(" ".join([*words[:at], chance.choice(others), *words[at + 1 :]]))
    return made
