"""Removes boilerplate, hidden parts and invisible text from a page."""

from dataclasses import dataclass

from bs4 import Tag
from bs4.element import PreformattedString

from app.domain.knowledge import Phase
from app.text import patterns
from knowledge.html.page import Page, attribute, first, size_of, text_of

_HIDDEN = patterns.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden)"
)
_ZERO = r"\s*:\s*0*\.?0*1?(?:px|pt|em|rem|%|vw|vh)?\s*(?:!important\s*)?(?:;|$)"
_TINY = patterns.compile(
    rf"(?:^|;)\s*(?:font-size\s*:\s*0*(?:[01](?:\.\d+)?(?:px|pt)|\.?0*\d?(?:em|rem|%)?)|font\s*:\s*0[^;]*|zoom{_ZERO[2:]}"
    r"|opacity\s*:\s*0*(?:\.0\d*)?%?|(?:-webkit-)?text-fill-color\s*:\s*transparent|color\s*:\s*transparent"
    r"|transform\s*:[^;]*scale[xy]?\(\s*0*\.?0*\s*[,)]|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)[^;]*)\s*(?:!important\s*)?(?=;|$)"
)
_OFF_PAGE = patterns.compile(
    r"(?:^|;)\s*(?:left|right|top|bottom|text-indent|margin-left|margin-top)\s*:\s*-\s*(?:\d{4,}px|\d{3,}(?:em|rem|vw|vh|%))"
    r"|translate[xy3d]*\(\s*-\s*(?:\d{4,}px|\d{3,}(?:em|rem|vw|vh|%))"
)
_NO_SIZE = patterns.compile(rf"(?:^|;)\s*(?:max-)?(?:width|height){_ZERO}")
_COLOR = patterns.compile(r"(?:^|;)\s*color\s*:\s*([^;!]+)")
_BACKGROUND = patterns.compile(r"(?:^|;)\s*background(?:-color)?\s*:\s*([^;!]+)")
_HEX = patterns.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])")
_RGB = patterns.compile(r"rgba?\(\s*(\d+)\s*[, ]\s*(\d+)\s*[, ]\s*(\d+)\s*\)")
_NAMES = {"white": "#ffffff", "black": "#000000", "transparent": "", "inherit": "", "none": ""}
_WHITES = frozenset({"#ffffff", "#fefefe", "#fdfdfd"})
_BOILERPLATE_ROLES = frozenset({"navigation", "search", "banner", "contentinfo"})
_NOISE = patterns.compile(
    r"(?:^|[\s_-])(?:cookie|cookies|gdpr|consent|onetrust|cookiebot|advert|advertisement|adsbygoogle|ad-slot|"
    r"skip-?link|skip-?to-?content|skip-?nav|breadcrumbs?|share-?buttons?|social-?share|sharing|"
    r"headerlink|anchor-?link|anchorjs-link|copybtn|copy-?button|edit-?this-?page|newsletter|"
    r"related-posts|back-?to-?top|linenos|lineno|sphinxsidebar|toctree-wrapper-nav|searchbox)(?:$|[\s_-])",
    patterns.IGNORECASE,
)
_ANCHOR_SIGNS = ("#", "\u00b6", "\u00a7", "\U0001f517")
_FRAMES = frozenset({"header", "footer"})
MOST_NOISE = 2_000  # characters: larger elements are not banners, whatever their class
_WHOLE_PAGE = patterns.compile(r"<\s*(?:html|body|!doctype)\b", patterns.IGNORECASE)


def _is_hidden(tag: Tag, style: str) -> bool:
    """Whether an element is hidden now but may be shown later."""
    if "hidden" in tag.attrs:
        return True
    return bool(style) and _HIDDEN.search(style) is not None


def is_unseen(tag: Tag, style: str) -> bool:
    """Whether an element is never visible, whatever the user opens: text for machines only."""
    if "data-unseen" in tag.attrs:
        return True
    if not style:
        return False
    if _TINY.search(style) or _OFF_PAGE.search(style):
        return True
    if "overflow" in style and "hidden" in style and _NO_SIZE.search(style):
        return True
    return _blends_in(tag, style)


def _blends_in(tag: Tag, style: str) -> bool:
    """Whether text has the color of its background: its own, an ancestor's, or white."""
    style_color = _COLOR.search(style)
    if style_color is None:
        return False
    color = _normalize_color(style_color[1])
    for ancestor in (tag, *tag.parents):
        background = _BACKGROUND.search(attribute(ancestor, "style").lower())
        background_color = (
            _normalize_color(background[1])
            if background
            else attribute(ancestor, "bgcolor").lower()
        )
        if background and ("url(" in background[1] or "gradient" in background[1]):
            return False
        if background_color:
            return bool(color) and color == background_color
        if attribute(ancestor, "class"):
            return False  # a style sheet may set the background
    return color in _WHITES


def _normalize_color(color: str) -> str:
    """Normalize a color to six hex digits if possible without a browser."""
    name = color.strip().lower()
    name = _NAMES.get(name, name)
    if match := _HEX.fullmatch(name):
        return "#" + "".join(digit * 2 for digit in match.groups())
    if match := _RGB.fullmatch(name):
        return "#" + "".join(f"{min(255, int(part)):02x}" for part in match.groups())
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """`keep_hidden` keeps hidden parts, which may be opened later. `keep_around` keeps
    navigation, since a captured fragment may be a menu.
    """

    keep_hidden: bool
    keep_around: bool = False

    @classmethod
    def of(cls, phase: Phase | None, markup: str) -> "Options":
        """Keep hidden parts in the initial phase, and navigation in a captured fragment."""
        piece = phase == "post-interaction" and not _WHOLE_PAGE.search(markup[:4_000])
        return cls(keep_hidden=phase == "initial", keep_around=piece)


def clean(page: Page, options: Options) -> int:
    """Clean a page in place; returns the number of parts removed because they are never visible."""
    unseen = 0
    for text in list(page.descendants):
        if isinstance(text, PreformattedString) and not isinstance(text, Tag):
            text.extract()
    pending = [page.body or page]
    while pending:
        for child in [one for one in pending.pop().children if isinstance(one, Tag)]:
            if is_unseen(child, attribute(child, "style").lower()):
                unseen += 1 if size_of(child) else 0
                child.decompose()
            elif _is_dropped(child, options):
                child.decompose()
            else:
                pending.append(child)
    return unseen


def _is_dropped(tag: Tag, options: Options) -> bool:
    if tag.name == "noscript":
        return True
    if tag.name == "template":
        # Declarative shadow roots are rendered; other templates are not.
        return "shadowrootmode" not in tag.attrs
    if tag.name == "input":
        return attribute(tag, "type").lower() == "hidden"
    if attribute(tag, "aria-hidden").lower() == "true" and tag.name != "body":
        return True
    # Content of `details` is not hidden: users open it without changing anything.
    if not options.keep_hidden and _is_hidden(tag, attribute(tag, "style").lower()):
        return True
    return not options.keep_around and _is_boilerplate(tag)


def _is_boilerplate(tag: Tag) -> bool:
    """Whether it is navigation, the site's header or footer, a banner or a heading's anchor."""
    if tag.name == "a" and attribute(tag, "href").startswith("#"):
        return text_of(tag) in _ANCHOR_SIGNS
    role = attribute(tag, "role").lower()
    if tag.name == "nav" or role in _BOILERPLATE_ROLES or tag.name == "search":
        return True
    if tag.name in _FRAMES:
        return _is_site_frame(tag)
    labels = f"{attribute(tag, 'class')} {attribute(tag, 'id')}"
    if (
        len(labels) < 3
        or tag.name in ("body", "html", "main", "article")
        or not _NOISE.search(labels)
    ):
        return False
    return size_of(tag) <= MOST_NOISE


def _is_site_frame(tag: Tag) -> bool:
    """Whether a header or footer is outside articles and sections, without a main heading."""
    for above in tag.parents:
        if above.name in ("article", "main", "section", "dialog", "form"):
            return False
        if attribute(above, "role").lower() in ("main", "article", "dialog", "tabpanel"):
            return False
    return tag.name == "footer" or first(tag, "h1") is None
