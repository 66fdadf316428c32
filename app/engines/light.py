"""Acts that need no question though the person's words do not name them.

A mark on a record that is as easily taken off ("Star", "Move up", "Mark as shipped"), on the very record
that the person named, once, and where nothing beside it is what they spoke of; how a page looks to them;
and the kind of an entry they give, in a list that stood empty. Everything else is asked about.
"""

from app.domain.page import Node
from app.engines.reasoner import Situation
from app.engines.records import is_named
from app.engines.risk.lexicon import does, pattern, speaks_of, words
from app.engines.spoken import about

_FEW = 5  # words of a mark's name
_MARKS = pattern(
    """
    star$ unstar$ favorite favourite favorit pin$ unpin$ pin+to bookmark flag$ snooze archive$ archiv
    mark+as mark+read mark+unread mark+done upvote$ like$ watch$ watchlist wishlist merkliste
    move+up move+down move+to+top move+up$ nach+oben nach+unten assign+to+me mir+zuweis start+work
    add+to+basket add+to+cart add+to+bag add+to+wish add+to+reading add+to+compar add+to+playlist
    in+den+warenkorb auf+die+merkliste ajouter+au+panier anadir+al+carrito anadir+a+la+cesta
    adicionar+ao+carrinho marquer+comme marcar+como als+gelesen als+ungelesen als+erledigt als+anwesend
    """
)
_WEIGHS = pattern(
    """
    paid$ bezahlt paye$ pagad approved accepted rejected closed resolved cancel void spam phish fraud
    deceased dead$ admin owner public final deleted refund trusted safe$ signed verified dismissed
    """
)
_LOOKS = pattern(
    """
    dark+mode light+mode night+mode theme$ font text+size schrift dunkel density contrast zoom$ sound
    sort sortier trier tri$ orden+por ordenar+por rows+per+page items+per+page darstellung apparence
    """
)
_KINDS = pattern(
    """
    category categor kategorie rubrik kind$ genre topic$ tag$ tags$ expense+type art+der+ausgabe motif$
    """
)


def is_light_press(node: Node, situation: Situation) -> bool:
    """Whether it puts a mark on the record that the person named, which nothing there fits better."""
    name, page = words(node.name), situation.page
    if len(name.split()) > _FEW or not _MARKS.search(name) or _WEIGHS.search(name) or does(name):
        return False
    if speaks_of("totality", name) or not is_named(node, page, situation.told):
        return False
    if any(
        deed.signature and deed.signature[2] == node.group and deed.purpose == "work"
        for deed in situation.deeds
    ):
        return False
    beside = (one for one in page.tree if one.group == node.group and one is not node)
    return not any(about(one.name, situation) for one in beside)


def marks_a_decision(name: str) -> bool:
    """Whether it says of a record what somebody has decided of it: "Mark as approved"."""
    plain = words(name)
    return _MARKS.search(plain) is not None and _WEIGHS.search(plain) is not None


def is_light_choice(node: Node) -> bool:
    """Whether it is about how the page looks, or the kind of an entry, in a list that is empty."""
    name = words(f"{node.name} {node.hint}")
    if len(name.split()) > _FEW or does(name):
        return False
    if _LOOKS.search(name):
        return True
    return node.role == "sel" and not node.value and _KINDS.search(name) is not None
