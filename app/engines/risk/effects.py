"""What each deed of the vocabulary does, in the words in which a person is told."""

from collections.abc import Mapping
from typing import NamedTuple

from app.domain.risk import Effect


class Deed(NamedTuple):
    """`composes`: what is told has to be written or chosen first, so that without a field near it such
    a control only opens the place for that.
    """

    effects: tuple[Effect, ...]
    reason: str
    composes: bool = False


DEEDS: Mapping[str, Deed] = {
    "delete": Deed(("destroys",), "Deletes something"),
    "remove": Deed(("destroys",), "Removes something"),
    "discard": Deed(("destroys",), "Throws away what was not saved"),
    "cancel": Deed(("destroys",), "Cancels something"),
    "revoke": Deed(("destroys", "grants"), "Revokes something"),
    "deactivate": Deed(("destroys", "grants"), "Takes something out of use"),
    "stop": Deed(("destroys",), "Shuts something down"),
    "close": Deed(("destroys",), "Closes something for good"),
    "reset": Deed(("destroys",), "Sets everything back"),
    "overwrite": Deed(("destroys",), "Writes over what is there"),
    "block": Deed(("destroys", "grants"), "Blocks or unblocks someone or something"),
    "leave_group": Deed(("destroys",), "Leaves a group"),
    "pay": Deed(("spends",), "Pays or moves money"),
    "buy": Deed(("spends",), "Buys or orders something"),
    "order": Deed(("spends",), "Buys or orders something"),
    "book": Deed(("spends",), "Books something"),
    "bid": Deed(("spends",), "Makes a bid"),
    "trade": Deed(("spends",), "Buys or sells something"),
    "transfer": Deed(("spends",), "Pays or moves money"),
    "subscribe": Deed(("spends",), "Takes out a subscription"),
    "send": Deed(("tells",), "Sends something"),
    "publish": Deed(("tells",), "Publishes something"),
    "post": Deed(("tells",), "Publishes something"),
    "share": Deed(("tells",), "Shares something", composes=True),
    "reply": Deed(("tells",), "Sends an answer", composes=True),
    "forward": Deed(("tells",), "Sends something on", composes=True),
    "invite": Deed(("tells", "grants"), "Invites someone", composes=True),
    "message": Deed(("tells",), "Sends a message", composes=True),
    "hand_in": Deed(("tells",), "Hands something in"),
    "approve": Deed(("decides",), "Decides something for others"),
    "refuse": Deed(("decides",), "Decides something for others"),
    "accept": Deed(("decides",), "Accepts something"),
    "sign": Deed(("decides",), "Signs something"),
    "merge": Deed(("decides",), "Merges something"),
    "release": Deed(("decides",), "Releases something"),
    "deploy": Deed(("decides",), "Brings something into use"),
    "discharge": Deed(("decides",), "Decides about a treatment"),
    "fire": Deed(("decides", "destroys"), "Decides about a person's work"),
    "grant": Deed(("grants",), "Changes who may do what"),
    "alter": Deed(("grants",), "Changes a password or who may do what", composes=True),
    "renew": Deed(("grants",), "Changes a password or who may do what"),
    "unknown": Deed(("irreversible",), "Does something whose words are not known"),
    "agree": Deed(("irreversible",), "Agrees to something whose words are not known"),
    "leave": Deed(("leaves",), "Signs out"),
}
IRREVERSIBLE = "Cannot be undone"
