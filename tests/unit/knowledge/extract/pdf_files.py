"""PDFs for the tests: by reportlab, and by hand where they are bad."""

import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    Flowable,
    ListFlowable,
    Paragraph,
    SimpleDocTemplate,
)

from knowledge.extract.port import Extracted
from tests.unit.knowledge.extract.sample_files import read_confined

STYLES = getSampleStyleSheet()
GRID = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def text(words: str, style: str = "Normal") -> Paragraph:
    return Paragraph(words, STYLES[style])


def listed(*items: str, kind: str = "bullet") -> ListFlowable:
    return ListFlowable([text(item) for item in items], bulletType=kind)


def flowing(path: Path, story: Sequence[Flowable], **about: str) -> Path:
    """Set by reportlab, with a running head and numbers below."""

    def head(canvas: Canvas, _: object) -> None:
        canvas.setFont("Helvetica", 9)
        canvas.drawString(72, 815, "Handbook of the clinic")
        canvas.drawCentredString(300, 25, f"Page {canvas.getPageNumber()}")

    SimpleDocTemplate(str(path), pagesize=A4, **about).build(
        list(story), onFirstPage=head, onLaterPages=head
    )
    return path


def painted(path: Path, paint: Callable[[Canvas], None], **options: str) -> Path:
    """Painted on one sheet or more."""
    canvas = Canvas(str(path), pagesize=A4, **options)
    paint(canvas)
    canvas.save()
    return path


def by_hand(path: Path, *bodies: bytes) -> Path:
    """Objects from number 1 on; the first is the catalog."""
    out, places = b"%PDF-1.7\n", []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(bodies) + 1
    path.write_bytes(
        b"%bxref\n0 %d\n0000000000 65535 f \n%btrailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
        % (out, size, table, size, len(out))
    )
    return path


def one_page(path: Path, content: bytes, catalog: bytes = b"") -> Path:
    """A page of which the content is packed."""
    packed = zlib.compress(content, 9)
    stream = b"<</Filter/FlateDecode/Length %d>>\nstream\n%b\nendstream" % (len(packed), packed)
    pages = b"<</Type/Pages/Count 1/Kids[3 0 R]>>"
    return by_hand(path, b"<</Type/Catalog/Pages 2 0 R%b>>" % catalog, pages, PAGE, stream, FONT)


def slow_file(path: Path) -> Path:
    """One that is read for a minute, in little memory: the same page over and over."""
    content = b"BT /F1 9 Tf 72 700 Td " + b"(many words of it) Tj 0 -12 Td " * 60 + b"ET"
    tree = b"<</Type/Pages/Count 19000/Kids[%b]>>" % (b"3 0 R " * 19_000)
    stream = b"<</Length %d>>\nstream\n%b\nendstream" % (len(content), content)
    return by_hand(path, b"<</Type/Catalog/Pages 2 0 R>>", tree, PAGE, stream, FONT)


def extracted(path: Path) -> Extracted:
    return read_confined(path, path.name)
