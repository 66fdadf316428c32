"""The verb phrases the parser knows, and what each means: data. None belongs to a site or a page."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from app.domain.directive import Verb

Frame = Literal[
    "point",  # VERB thing
    "fill",  # VERB value into thing, VERB fields
    "set",  # VERB thing to value
    "fill_in",  # VERB thing with value / fields
    "select",  # VERB value from list
    "toggle",  # VERB thing on / off
    "filter",  # VERB by criterion and value
    "submit",
    "search",
    "login",
    "upload",  # VERB file to field
    "record",  # VERB kind of thing, with fields (create, edit, delete)
    "press",  # VERB key, or a control
    "scroll",
    "drag",  # VERB thing to thing
    "navigate",  # VERB address, or a place
    "wait",
    "verify",
    "read",
    "bare",  # VERB alone
    "named",  # the verb is the name of the control
    "compose",  # the verb names a control that opens a message to write
    "use",  # VERB thing to do something
    "sort",  # VERB things by a column
    "copy",  # VERB what is shown into a field
    "turn",  # the verb is the page to turn to
    "opaque",  # an action that is understood as one, and no more
]


@dataclass(frozen=True)
class Entry:
    """What a verb phrase means. `bare`: it may stand without an object ("and submit")."""

    verb: Verb
    frame: Frame
    bare: bool = False


_TABLE: tuple[tuple[Verb, Frame, bool, str], ...] = (
    ("click", "point", False, "click on|left click on|left-click on|click at|click|left click|"
     "left-click|tap on|tap|double click on|double click|double-click on|double-click|doubleclick|"
     "activate|trigger|click through"),
    ("press", "press", False, "press on|press down on|press|hit|push|push on|strike|"
     "press the key|hit the key"),
    ("open", "point", False, "open up|open|go to|go into|go in|go over to|show me|show|expand|"
     "unfold|switch to|switch over to|switch between|view|visit|display|unhide|bring up|pull up|"
     "take me to|get to|get into|head to|head over to|jump to|move to|return to|go back to|"
     "proceed to|access|reveal|launch|enter into|change to|drill into|browse to|get me to|"
     "show me the details of|navigate through|look at|preview|maximize|start"),
    ("navigate", "navigate", False, "navigate to|navigate|browse|load|open the url|open the page|"
     "open the site|open the website|go to the url|go to the page at|go to the website|"
     "go to the site|point the browser to|surf to"),
    ("close", "point", False, "close out of|close out|close down|close|dismiss|collapse|hide|"
     "shut|fold|minimize|exit|get rid of|leave|acknowledge"),
    ("fill", "fill", False, "type in|type out|type|enter in|enter|input|write down|write in|write|"
     "put in|put|insert|key in|paste in|paste|add in|provide|supply|specify|give|give it|state|fill"),
    ("fill", "fill_in", False, "fill in|fill out|fill up|complete|fill-in|fill-out|populate"),
    ("fill", "set", False, "set|change|adjust|make|switch|modify|replace|turn|alter|reset|move|"
     "increase|decrease|raise|lower|reduce"),
    ("clear", "point", False, "clear out|clear|empty|erase|blank out|wipe|wipe out|delete the text in|"
     "remove the text in|delete the text from|remove the text from|clear the text in|"
     "delete the contents of|clear the contents of"),
    ("select", "select", False, "select|choose|pick out|pick|opt for|go for|highlight"),
    ("check", "point", False, "check off|check|tick off|tick|mark the checkbox|agree to|"
     "accept the terms and|opt in to"),
    ("check", "point", False, "turn on|switch on|enable|flip on"),
    ("uncheck", "point", False, "uncheck|untick|deselect|unselect|turn off|switch off|disable|"
     "un-check|clear the checkbox|unmark|flip off|opt out of|deactivate"),
    ("select", "filter", False, "filter|narrow down|narrow"),
    ("click", "toggle", False, "toggle|flip"),
    ("submit", "submit", True, "submit|save|confirm|send off|send|apply|finish|finalize|publish|"
     "post|place the order|check out|checkout|continue|proceed|go on|accept"),
    ("search", "search", True, "search for|search up|search|look up|look for|run a search for|"
     "do a search for|perform a search for|google|query for|query|lookup|make a search for"),
    ("find", "point", False, "find|locate|highlight the|spot|get|fetch|scroll to find"),
    ("login", "login", True, "log in|login|log me in|log on|logon|sign in|sign me in|sign on|signin|"
     "log into|sign into|authenticate|log back in|sign back in"),
    ("logout", "bare", True, "log out|logout|log me out|log off|sign out|sign me out|sign off|"
     "logoff|signout"),
    ("fill", "upload", False, "upload|attach"),
    ("create", "record", False, "add|create|register|new|make a|make an|make a new|make me a|"
     "set up|book|schedule|draft|enroll|enrol|open a new|open an account|start a new|compose|"
     "order|reserve|insert a|insert a new|set up a|onboard|admit|sign up|generate|arrange|buy|"
     "purchase|write a|write an|write a new|invite|raise a|file a|file an|log a|log a new|"
     "put in a|enter a new|send a|send an|send a new|post a|post a new|leave a|submit a|"
     "need a|need a new|request a|request|set a|set an"),
    ("edit", "record", False, "edit|update|rename|amend|correct|revise"),
    ("delete", "record", False, "delete|remove|discard|trash|erase the|throw away|take out|get rid of the|"
     "drop the|purge|"
     "throw out"),
    ("press", "press", False, "use the key|use the shortcut|use the keyboard shortcut|"
     "hit the shortcut"),
    ("scroll", "scroll", True, "scroll|scroll the page|page|swipe"),
    ("hover", "point", False, "hover over|hover on|hover the mouse over|hover|mouse over|mouseover|"
     "point at|point to|move the mouse over|move the mouse to|move the cursor over|"
     "place the mouse over|put the mouse over|rest the mouse on|move the pointer over"),
    ("focus", "point", False, "focus into|focus on|focus in|focus|put the cursor in|"
     "place the cursor in|put the cursor into|set the focus to|set focus to|put focus on|"
     "give focus to|click into|click in|click inside|tap into|move the cursor to|"
     "set the focus on|put the focus on"),
    ("drag", "drag", False, "drag and drop|drag|move the item|drag-and-drop"),
    ("open", "turn", True, "next page|previous page|prev page"),
    ("back", "bare", True, "go back|navigate back|back|take me back|"
     "go back to the previous page|go back a page|go back one page"),
    ("reload", "bare", True, "reload|refresh|reload the page|refresh the page"),
    ("wait", "wait", True, "wait for|wait until|wait till|wait|pause for|pause|hold on for|hold on"),
    ("verify", "verify", False, "verify that|verify|check that|check if|check whether|make sure that|"
     "make sure|ensure that|ensure|confirm that|assert that|assert|validate that|see if|"
     "see whether|check to see if|double check that|verify if|verify whether"),
    ("read", "read", False, "read out|read me|read|tell me|report|report back|let me know|"
     "find out|give me the|look up what|get me the|count|list|extract|return the|"
     "summarize|summarise|describe|explain"),
    ("do", "use", False, "use|using"),
    ("do", "sort", False, "sort|order by|arrange by|order the list|order the table|"
     "order the results|arrange the list"),
    ("do", "copy", False, "copy|cut"),
    ("do", "opaque", False, "solve|draw|resize|calculate|compute|guess|compare|"
     "right click on|right click|right-click on|right-click|"
     "translate|convert|play|win|undo|transfer|pay|call|print"),
    ("click", "compose", False, "reply to|reply|respond to|respond|answer|forward|comment on|"
     "comment"),
    ("click", "named", False, "star|unstar|like|unlike|share|follow|unfollow|retweet|archive|"
     "unarchive|mute|unmute|pin|unpin|bookmark|favorite|favourite|flag|report the|block|unblock|"
     "upvote|downvote|subscribe to|unsubscribe from|join|download|export|import|"
     "subscribe|snooze|assign|activate|suspend|reject|decline|reopen|resolve|lock|unlock|"
     "restore|merge|install|uninstall|repost|connect|disconnect|skip|stop|pause the|cancel|"
     "mark|upgrade|preview the|retry|restart|duplicate|clone|approve|resend"),
)  # fmt: skip


@cache
def verbs_by_first() -> dict[str, tuple[tuple[tuple[str, ...], Entry], ...]]:
    """Verb phrases by their first word, longest first; the first entry of a phrase wins."""
    found: dict[tuple[str, ...], Entry] = {}
    for verb, frame, bare, names in _TABLE:
        for name in names.split("|"):
            found.setdefault(tuple(name.split()), Entry(verb, frame, bare))
    return _by_first(found)


def _by_first(
    entries: dict[tuple[str, ...], Entry],
) -> dict[str, tuple[tuple[tuple[str, ...], Entry], ...]]:
    grouped: dict[str, list[tuple[tuple[str, ...], Entry]]] = {}
    for phrase, entry in entries.items():
        grouped.setdefault(phrase[0], []).append((phrase, entry))
    return {
        first: tuple(sorted(rows, key=lambda row: -len(row[0]))) for first, rows in grouped.items()
    }
