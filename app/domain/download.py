"""Files that the browser saved while the task was at work."""

from dataclasses import dataclass, field

from app.domain.base import Value

_UNITS = ("bytes", "KB", "MB", "GB")


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadSeen:
    """One as the client tells of it. `url` is where it came from, "" where the page made it; `data` what is
    in it, None where that cannot be told: `unread` says why.
    """

    name: str
    url: str = ""
    size: int | None = None
    mime: str = ""
    data: bytes | None = field(default=None, repr=False)
    unread: str = ""


class Download(Value):
    """One as the task keeps it. `url` is that of the page where the page made it; `text` what is in it, as
    Markdown and as far as it is kept, "" where nothing was read: `unread` says why, where that is known.
    """

    name: str
    url: str
    size: int | None = None
    text: str = ""
    unread: str = ""

    @property
    def lines(self) -> list[str]:
        """The text, line by line."""
        return self.text.splitlines()

    @property
    def told(self) -> str:
        """Its name and what is known of it, on a line: "report.csv, 1.2 KB, 34 lines"."""
        parts = [self.name, in_words(self.size) if self.size is not None else ""]
        parts += [f"{len(self.lines)} lines" if self.text else f"not read: {self.unread}"]
        return ", ".join(filter(None, parts if self.text or self.unread else parts[:-1]))


def in_words(size: int) -> str:
    """So many bytes, as a person says it."""
    scaled, unit = float(size), 0
    while scaled >= 1_000 and unit < len(_UNITS) - 1:
        scaled, unit = scaled / 1_000, unit + 1
    return (
        f"{scaled:.1f} {_UNITS[unit]}" if unit and scaled < 100 else f"{scaled:.0f} {_UNITS[unit]}"
    )
