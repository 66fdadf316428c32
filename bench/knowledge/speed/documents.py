"""Generate ordinary documents, no two alike, to measure extraction speed."""

import random
from html import escape
from pathlib import Path

from reportlab.lib import colors
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Flowable, PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table

PDF_PAGES = 10  # pages of a PDF
_WORDS = """
account agent amount answer approval archive balance budget calendar charge client clinic
contract copy customer date delivery deposit document draft employee entry error evidence field
form group handover invoice item label ledger letter limit list manager message month notice
number office order owner page partner patient payment person place plan policy price process
product project quarter question reason receipt record report request result review role rule
sample schedule score section service shipment signature site status step stock storage
supplier task team term ticket transfer unit update user value version visit ward warehouse
week worker year
"""
WORDS = _WORDS.split()


def make(folder: Path, documents: int) -> Path:
    """Write `documents` HTML pages, and an eighth as many PDFs."""
    for number in range(documents):
        (folder / f"page{number}.html").write_text(_html(random.Random(number)), encoding="utf-8")
    for number in range(max(2, documents // 8)):
        _pdf(folder / f"manual{number}.pdf", random.Random(number))
    return folder


def _prose(drawn: random.Random, sentences: int) -> str:
    said = (" ".join(drawn.choices(WORDS, k=drawn.randint(8, 22))) for _ in range(sentences))
    return " ".join(f"{one.capitalize()}." for one in said)


def _rows(drawn: random.Random, count: int) -> list[list[str]]:
    head = [word.capitalize() for word in drawn.sample(WORDS, 4)]
    return [head] + [
        [drawn.choice(WORDS), *(str(drawn.randint(1, 9_999)) for _ in range(3))]
        for _ in range(count)
    ]


def _html(drawn: random.Random) -> str:
    """About 30 kB including navigation, like a page of a manual."""
    links = "".join(
        f"<li><a href='/{n}'>{escape(_prose(drawn, 1)[:30])}</a></li>" for n in range(80)
    )
    body = []
    for _ in range(10):
        body.append(f"<h2>{' '.join(drawn.sample(WORDS, 3)).capitalize()}</h2>")
        body += [f"<p>{_prose(drawn, 4)}</p>" for _ in range(3)]
        body.append("<ul>" + "".join(f"<li>{_prose(drawn, 1)}</li>" for _ in range(4)) + "</ul>")
    head, *rows = _rows(drawn, 20)
    table = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    heads = "".join(f"<th>{cell}</th>" for cell in head)
    return (
        "<!doctype html><html lang='en'><head><title>Manual</title></head><body>"
        f"<nav><ul>{links}</ul></nav><main><h1>Manual</h1>{''.join(body)}"
        f"<table><tr>{heads}</tr>{table}</table></main><footer>{_prose(drawn, 3)}</footer></body></html>"
    )


def _pdf(path: Path, drawn: random.Random) -> None:
    """Pages of 500 words with headings, every other one with a table."""
    styles, story = getSampleStyleSheet(), list[Flowable]()
    for number in range(PDF_PAGES):
        story.append(Paragraph(f"Chapter {number + 1}", styles["Heading1"]))
        for _ in range(4 if number % 2 else 6):
            story.append(
                Paragraph(" ".join(drawn.sample(WORDS, 3)).capitalize(), styles["Heading2"])
            )
            story.append(Paragraph(_prose(drawn, 5), styles["BodyText"]))
        if number % 2:
            rules = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
            story += [Spacer(1, 12), Table(_rows(drawn, 12), style=rules)]
        story.append(PageBreak())
    SimpleDocTemplate(str(path), title="Manual").build(story)
