"""Reads the objects drawn on a PDF page from PDFium: text styles, filled areas, rules."""

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2.raw as c

from app.text import patterns
from knowledge.extract.pdf.page import Box, Colour, Drawn, Fill, Style

Matrix = tuple[float, float, float, float, float, float]
Handle = Any
"""A PDFium handle: a page, a page object or a font."""

MOST_OBJECTS = 50_000  # per page; city maps have more, but no useful text
MOST_CORNERS = 400  # per path; a table drawn as one path has about 200
MOST_RULES = 20_000
MOST_FILLS = 5_000
DEEPEST = 8  # nested forms
SHORTEST = 4.0  # points: a shorter line is part of a letter
THIN = 2.5  # points: a narrower area is a line
_FIXED, _FORCE_BOLD = 1, 1 << 18  # PDF 32000-1, table 123
# The font name is the most reliable sign of bold type. PDFium estimates weights from stem widths: some
# regular fonts get 695.
_BOLD = patterns.compile(r"bold|black|heavy|demi|cmbx|cmssbx|-bd\b")
_MONO = patterns.compile(r"mono|courier|consol|typewriter|cmtt|nimbusmon|fixed|menlo")
_INVISIBLE = (c.FPDF_TEXTRENDERMODE_INVISIBLE, c.FPDF_TEXTRENDERMODE_CLIP)
_STROKED = (c.FPDF_TEXTRENDERMODE_STROKE, c.FPDF_TEXTRENDERMODE_STROKE_CLIP)


def read_drawing(page: Handle) -> Drawn:
    drawn = Drawn()
    count = c.FPDFPage_CountObjects(page)
    handles = (c.FPDFPage_GetObject(page, index) for index in range(count))
    for handle, matrix in _flatten(handles, (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), drawn, 0):
        kind = c.FPDFPageObj_GetType(handle)
        if kind == c.FPDF_PAGEOBJ_TEXT:
            style = _style(handle, matrix, drawn.objects)
            drawn.styles[ctypes.addressof(handle.contents)] = style
        elif kind == c.FPDF_PAGEOBJ_PATH:
            _add_path(handle, matrix, drawn)
        else:
            _add_picture(handle, matrix, drawn)
    return drawn


def _flatten(
    handles: Iterator[Handle], matrix: Matrix, drawn: Drawn, depth: int
) -> Iterator[tuple[Handle, Matrix]]:
    """Yield each object with its transformation to the page."""
    for handle in handles:
        drawn.objects += 1
        if drawn.objects > MOST_OBJECTS:
            return
        if not handle:
            continue
        if c.FPDFPageObj_GetType(handle) != c.FPDF_PAGEOBJ_FORM:
            yield handle, matrix
        elif depth < DEEPEST:
            count = c.FPDFFormObj_CountObjects(handle)
            inner = (c.FPDFFormObj_GetObject(handle, index) for index in range(count))
            yield from _flatten(inner, _multiply(_matrix(handle), matrix), drawn, depth + 1)


def _style(handle: Handle, form: Matrix, order: int) -> Style:
    """Style of a text object, and whether it is painted at all."""
    size = ctypes.c_float()
    c.FPDFTextObj_GetFontSize(handle, size)
    a, b, _, _, _, _ = _multiply(_matrix(handle), form)
    quarters = (1 if b > 0 else 3) if abs(b) > abs(a) else (2 if a < 0 else 0)
    mode = c.FPDFTextObj_GetTextRenderMode(handle)
    colour, alpha = _colour(handle, stroked=mode in _STROKED)
    style = Style(
        size=abs(size.value) * (a * a + b * b) ** 0.5,
        unseen=mode in _INVISIBLE or alpha == 0,
        colour=colour,
        order=order,
        quarters=quarters,
    )
    font = c.FPDFTextObj_GetFont(handle)
    if font:
        buffer = ctypes.create_string_buffer(128)
        c.FPDFFont_GetBaseFontName(font, buffer, 128)
        flags, name = c.FPDFFont_GetFlags(font), buffer.value.decode("latin-1").lower()
        style.mono = bool(flags & _FIXED) or bool(_MONO.search(name))
        style.bold = bool(flags & _FORCE_BOLD) or bool(_BOLD.search(name))
    return style


def _colour(handle: Handle, *, stroked: bool) -> tuple[Colour | None, int]:
    """Color and opacity; 255 is opaque."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    get_color = c.FPDFPageObj_GetStrokeColor if stroked else c.FPDFPageObj_GetFillColor
    if not get_color(handle, red, green, blue, alpha):
        return None, 255
    return (red.value, green.value, blue.value), alpha.value


def _add_picture(handle: Handle, matrix: Matrix, drawn: Drawn) -> None:
    """Take an image or a gradient, which may show anything."""
    edges = [ctypes.c_float() for _ in range(4)]
    if len(drawn.fills) < MOST_FILLS and c.FPDFPageObj_GetBounds(handle, *edges):
        left, bottom, right, top = (edge.value for edge in edges)
        box = (*_transform(matrix, left, bottom), *_transform(matrix, right, top))
        drawn.fills.append(Fill(box, None, drawn.objects, solid=False))


def _add_path(handle: Handle, form: Matrix, drawn: Drawn) -> None:
    """Take the straight lines and the filled area of a path."""
    filled, stroked = ctypes.c_int(), c.FPDF_BOOL()
    c.FPDFPath_GetDrawMode(handle, filled, stroked)
    matrix = _multiply(_matrix(handle), form)
    lines, straight = _lines(handle, matrix)
    if not lines:
        return
    xs = [x for line in lines for x in (line[0], line[2])]
    ys = [y for line in lines for y in (line[1], line[3])]
    box = (min(xs), min(ys), max(xs), max(ys))
    width, height = box[2] - box[0], box[3] - box[1]
    if filled.value and min(width, height) <= THIN:
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        lines = [(box[0], y, box[2], y) if width > height else (x, box[1], x, box[3])]
    elif filled.value and len(drawn.fills) < MOST_FILLS:
        colour, alpha = _colour(handle, stroked=False)
        solid = straight and len(lines) in (3, 4, 5) and alpha == 255
        solid = solid and not c.FPDFPageObj_HasTransparency(handle)
        clipped, whole = _clip(box, handle, form)
        if alpha and clipped:
            drawn.fills.append(Fill(clipped, colour, drawn.objects, solid=solid and whole))
    if stroked.value or min(width, height) <= THIN:
        drawn.rules += [line for line in lines if _is_rule(line)][: MOST_RULES - len(drawn.rules)]


def _clip(box: Box, handle: Handle, form: Matrix) -> tuple[Box | None, bool]:
    """The part of an area that its clipping leaves, if any, and whether it fills that box."""
    clip = c.FPDFPageObj_GetClipPath(handle)
    left, bottom, right, top = box
    is_box = True
    x, y = ctypes.c_float(), ctypes.c_float()
    for number in range(max(0, c.FPDFClipPath_CountPaths(clip)) if clip else 0):
        count = c.FPDFClipPath_CountPathSegments(clip, number)
        corners = []
        for index in range(min(count, MOST_CORNERS)):
            segment = c.FPDFClipPath_GetPathSegment(clip, number, index)
            c.FPDFPathSegment_GetPoint(segment, x, y)
            corners.append(_transform(form, x.value, y.value))
        if not corners:
            continue
        xs, ys = (
            {round(place[0], 1) for place in corners},
            {round(place[1], 1) for place in corners},
        )
        is_box &= len(xs) == 2 and len(ys) == 2
        left, right = max(left, min(xs)), min(right, max(xs))
        bottom, top = max(bottom, min(ys)), min(top, max(ys))
    return ((left, bottom, right, top) if left < right and bottom < top else None), is_box


def _is_rule(line: Box) -> bool:
    width, height = abs(line[2] - line[0]), abs(line[3] - line[1])
    return (width >= SHORTEST and height < 1) or (height >= SHORTEST and width < 1)


def _lines(path: Handle, matrix: Matrix) -> tuple[list[Box], bool]:
    """Lines of a path, and whether all are straight and parallel to the page's edges."""
    lines: list[Box] = []
    straight = True
    x, y = ctypes.c_float(), ctypes.c_float()
    first = current = (0.0, 0.0)
    for index in range(min(c.FPDFPath_CountSegments(path), MOST_CORNERS)):
        segment = c.FPDFPath_GetPathSegment(path, index)
        c.FPDFPathSegment_GetPoint(segment, x, y)
        place = _transform(matrix, x.value, y.value)
        kind = c.FPDFPathSegment_GetType(segment)
        if kind == c.FPDF_SEGMENT_MOVETO:
            first = place
        else:
            lines.append((*current, *place))
            straight &= kind == c.FPDF_SEGMENT_LINETO
            straight &= abs(current[0] - place[0]) < 1 or abs(current[1] - place[1]) < 1
        current = place
        if c.FPDFPathSegment_GetClose(segment) and current != first:
            lines.append((*current, *first))
            current = first
    return lines, straight


def _matrix(handle: Handle) -> Matrix:
    matrix = c.FS_MATRIX()
    if not c.FPDFPageObj_GetMatrix(handle, matrix):
        return 1.0, 0.0, 0.0, 1.0, 0.0, 0.0
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _multiply(inner: Matrix, outer: Matrix) -> Matrix:
    """The product of two transformations: first `inner`, then `outer`."""
    a, b, cc, d, e, f = inner
    oa, ob, oc, od, oe, of = outer
    return (
        a * oa + b * oc,
        a * ob + b * od,
        cc * oa + d * oc,
        cc * ob + d * od,
        e * oa + f * oc + oe,
        e * ob + f * od + of,
    )


def _transform(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, cc, d, e, f = matrix
    return a * x + cc * y + e, b * x + d * y + f
