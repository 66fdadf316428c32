"""Charts as tables of what they draw."""

from xml.etree.ElementTree import Element

from knowledge.extract.tables import table
from knowledge.extract.xml_parts import attribute, child, local, within

MOST_POINTS = 2_000


def chart_table(root: Element) -> str:
    """Categories down, series across, from the values that the chart keeps; "" for none."""
    columns: list[tuple[str, dict[int, str]]] = []
    names: dict[int, str] = {}
    for series in within(root, "ser"):
        called = " ".join(_points(child(series, "tx")).values())
        names = names or _points(child(series, "cat")) or _points(child(series, "xVal"))
        values = _points(child(series, "val")) or _points(child(series, "yVal"))
        columns.append((called or "Value", values))
    places = sorted(set(names).union(*(values for _, values in columns)))[:MOST_POINTS]
    if not places:
        return ""
    head = ["", *(called for called, _ in columns)]
    rows = [[names.get(at, ""), *(values.get(at, "") for _, values in columns)] for at in places]
    title = child(root, "chart", "title")
    said = "".join(one.text or "" for one in within(title, "t")) if title is not None else ""
    drawn = table([head, *rows])
    return f"{said}\n\n{drawn}" if said.strip() else drawn


def _points(holder: Element | None) -> dict[int, str]:
    found: dict[int, str] = {}
    for point in within(holder, "pt") if holder is not None else ():
        place = attribute(point, "idx")
        text = next((one.text or "" for one in point if local(one.tag) == "v"), "")
        if place.isdecimal() and text:
            found[int(place)] = text
    return found
