"""The ways that helped, by the names under which skills keep them."""

ALTERNATIVE = "alternative element"
WAIT = "wait and retry"
REFIND = "re-find"
SCROLL = "scroll into view"
DISMISS = "dismiss overlay"
KEYBOARD = "keyboard"
AT_CENTRE = "click at centre"
FILL = "fill what is missing"
OPEN = "open what holds it"

OTHER_MEANS = frozenset({KEYBOARD, AT_CENTRE})
INSTEAD = OTHER_MEANS | {ALTERNATIVE}

NO_LESSON = frozenset({"re-plan", "answer the dialog", "answer the page"})
"""Strategies after which it was another task, or another answer, and no better way to do the same."""

SHORT_WAIT = 1_000  # ms; what the first correction waits
LONGEST_WAIT = 8_000  # ms; as long as the longest wait of a correction
AWAKE = 3_000  # ms; a page that is loaded, and answers nothing for so long, is starting up still
TRY_TIME = 1_000  # ms; what a try in vain took until the page was quiet, and was looked at
