"""General English words of user interfaces that mean the same, that are opposites, or that add nothing.

Only words any interface may use belong here; nothing of one site, product or task.
"""

from collections.abc import Mapping
from functools import cache

# Each line is one meaning; any spelling on it can stand for any other.
MEANINGS: tuple[str, ...] = (
    # actions
    "log in|login|sign in|signin|log on|logon",
    "log out|logout|sign out|signout|log off|logoff",
    "sign up|signup|register|create account|join",
    "delete|remove|erase|trash|bin|trash can|garbage",
    "add|new|create|plus",
    "edit|modify|change|pencil|pen",
    "save|store",
    "close|dismiss|times|x",
    "cancel|abort",
    "search|find|look up|lookup|magnifier|magnifying glass",
    "next|continue|proceed|forward|chevron right|arrow right|next page|next month|next step|next slide",
    "previous|prev|back|chevron left|arrow left|previous page|previous month|previous step|go back"
    "|previous slide",
    "ok|okay|confirm",
    "accept|agree|allow",
    "refresh|reload|sync",
    "buy|purchase|order now",
    "check out|checkout",
    "favorite|favourite|star",
    "like|thumbs up|heart",
    "show|view|display|see",
    "more|ellipsis|kebab|overflow|three dots",
    "menu|hamburger|navigation menu",
    "print|printer",
    "copy|duplicate|clone",
    "filter|funnel|refine",
    "share|repost",
    "finish|done|complete",
    "apply|set",
    "reject|decline|deny|refuse",
    "exit|quit",
    "up|arrow up|chevron up",
    "down|arrow down|chevron down",
    # places
    "settings|preferences|configuration|gear|cog|config",
    "cart|basket|shopping bag|shopping cart",
    "home|homepage|home page|main page|start page",
    "help|support",
    "notifications|alerts|bell",
    "account|profile|my account",
    "dashboard|overview",
    "first page|go to first",
    "last page|go to last",
    # fields
    "email|e mail|email address|e mail address|mail address",
    "phone|telephone|tel|mobile|cell|cellphone|phone number|telephone number|mobile number"
    "|cell phone|mobile phone|contact number",
    "date of birth|dob|birthday|birth date|birthdate|born",
    "sex|gender",
    "last name|surname|family name|lastname|lname",
    "first name|given name|forename|firstname|fname",
    "full name|fullname|name in full|complete name",
    "username|user name|user id|userid|login name|user|account name|login id",
    "password|passcode|passphrase|pass word|pwd",
    "postal code|zip|zip code|postcode|zipcode|post code",
    "notes|note|comments|comment|remarks|remark",
    "address|street address|street",
    "city|town",
    "state|province|region|county",
    "company|organisation|organization|employer|firm",
    "subject|topic",
    "description|details",
    "quantity|qty",
    "amount|sum",
    "price|cost",
    "website|url|web address|web site|homepage url",
    "country|nation",
    "picture|photo|image|avatar",
    "job title|occupation|profession",
    "number|no|num|nr",
    "departure|depart|departing|outbound",
    "return|returning|inbound",
)

# Words of which one excludes the other, however near their contexts are.
OPPOSITES: tuple[tuple[str, str], ...] = (
    ("first", "last"), ("start", "end"), ("from", "to"), ("min", "max"), ("minimum", "maximum"),
    ("enable", "disable"), ("show", "hide"), ("on", "off"), ("in", "out"), ("up", "down"),
    ("left", "right"), ("old", "new"), ("current", "new"), ("open", "close"), ("lock", "unlock"),
    ("expand", "collapse"), ("import", "export"), ("upload", "download"), ("undo", "redo"),
    ("follow", "unfollow"), ("subscribe", "unsubscribe"), ("read", "unread"), ("mute", "unmute"),
    ("select", "deselect"), ("check", "uncheck"), ("sent", "received"), ("yes", "no"),
    ("login", "logout"), ("billing", "shipping"), ("home", "work"), ("male", "female"),
    ("ascending", "descending"), ("departure", "return"), ("arrival", "departure"),
    ("accept", "reject"), ("approve", "reject"), ("zoom in", "zoom out"), ("play", "pause"),
    ("active", "inactive"), ("public", "private"), ("save", "cancel"), ("next", "previous"),
)  # fmt: skip

# What a picture stands for when it is the whole label.
# ruff: noqa: RUF001
SYMBOLS: Mapping[str, str] = {
    "×": "close", "✕": "close", "✖": "close", "✗": "close", "╳": "close", "❌": "close",
    "+": "add", "＋": "add", "➕": "add", "−": "minus", "-": "minus", "–": "minus",
    "☰": "menu", "≡": "menu", "⋮": "more", "…": "more", "⋯": "more", "...": "more", "•••": "more",
    "✎": "edit", "✏": "edit", "🖉": "edit", "🗑": "delete", "🔍": "search", "🔎": "search", "⌕": "search",
    "‹": "previous", "«": "previous", "<": "previous", "←": "previous", "<<": "first page",
    "›": "next", "»": "next", ">": "next", "→": "next", ">>": "last page",
    "⚙": "settings", "✓": "ok", "✔": "ok", "?": "help", "ⓘ": "info", "♥": "like", "❤": "like",
    "★": "favorite", "☆": "favorite", "⟳": "refresh", "↻": "refresh", "🏠": "home", "🛒": "cart",
    "▲": "up", "▼": "down", "↑": "up", "↓": "down", "▶": "play", "⏸": "pause", "■": "stop",
}  # fmt: skip

# Words for the sort of thing, said by a person or added by a page, that do not tell things apart.
_ROLES = (
    "button btn link field box textbox textfield checkbox radio tab icon input dropdown combobox"
    " option image img ico svg fa fas far fab bi mdi glyphicon anticon textarea switch toggle"
    " control element entry outlined filled outline"
)
ROLE_WORDS = frozenset(_ROLES.split())

_SMALL = (
    "a an the of to in for and or with your my our at by from is this that please it its be"
    " enter select choose type here optional required"
)
STOP_WORDS = frozenset(_SMALL.split())

_SORTS = (
    "user person member contact customer client employee row record entry item line card message email"
    " mail post comment file folder document task ticket issue order product article event result"
    " page section group project team note invoice account"
)
# Sorts of record that a person says before its own name: "user Ann", "ticket 12".
RECORD_NOUNS = frozenset(_SORTS.split())

# Words that name a sort of container and nothing more.
CONTAINER_KINDS: Mapping[str, frozenset[str]] = {
    "dialog": frozenset({"dialog", "modal", "popup", "pop up", "window", "overlay", "popover"}),
    "form": frozenset({"form"}),
    "menu": frozenset({"menu", "dropdown", "submenu"}),
    "nav": frozenset(
        {"nav", "navigation", "navbar", "sidebar", "header", "menu bar", "top bar", "footer"}
    ),
    "toolbar": frozenset({"toolbar", "tool bar", "ribbon"}),
    "section": frozenset({"section", "panel", "card", "area", "box", "widget", "region"}),
    "row": frozenset({"row", "line", "record", "table"}),
    "item": frozenset({"item", "result", "card", "entry", "post", "message", "product"}),
    "list": frozenset({"list", "results"}),
    "tabpanel": frozenset({"tab", "panel", "pane"}),
    "tablist": frozenset({"tabs", "tab bar"}),
    "fieldset": frozenset({"fieldset", "section", "group"}),
    "tree": frozenset({"tree"}),
}


@cache
def meanings() -> Mapping[str, str]:
    """Spelling -> the first spelling of its line."""
    table: dict[str, str] = {}
    for line in MEANINGS:
        spellings = line.split("|")
        for spelling in spellings:
            table.setdefault(spelling, spellings[0])
    return table


@cache
def opposites() -> frozenset[tuple[str, str]]:
    """Both directions of every pair."""
    return frozenset(OPPOSITES) | frozenset((b, a) for a, b in OPPOSITES)
