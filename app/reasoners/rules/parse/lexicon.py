"""The nouns, numbers and small words the parser knows: data. None belongs to a site or a page."""

from app.reasoners.rules.parse.wordlist import words

ROLES: dict[str, str] = {
    name: role
    for role, names in {
        "btn": "button|buttons|btn|push button|action button",
        "link": "link|links|hyperlink|hyperlinks|anchor",
        "inp": "textbox|textboxes|text box|text boxes|text field|text fields|input field|"
        "input fields|input box|input boxes|text input|text inputs|input|inputs|field|fields|"
        "textarea|text area|text areas|textareas|text entry|entry field|form field|form fields|"
        "input textbox|input text box|text input field|searchbox|search bar|date field|"
        "number field|password field|input text|text-box|text-field|entry box",
        "chk": "checkbox|checkboxes|check box|check boxes|tick box|tickbox|tick boxes|check-box|"
        "switch|switches|toggle|toggles|toggle switch|toggle button",
        "rad": "radio button|radio buttons|radio|radios|radio option|radio-button|radiobutton",
        "sel": "dropdown|dropdowns|drop-down|drop down|dropdown list|drop-down list|"
        "drop down list|dropdown menu|drop-down menu|drop down menu|select box|select list|"
        "select menu|list box|listbox|combobox|combo box|selector|picklist|pick list|"
        "selection list|scroll list|dropdown box|select",
        "opt": "option|options|choice",
        "tab": "tab|tabs",
        "menu": "menu item|menu items|menu entry|menu option",
        "range": "slider|sliders|range slider",
        "file": "file input|file upload|file picker|file field|upload field",
        "row": "row|rows|table row|card|cards",
        "img": "image|images|picture|pictures|photo|photos|thumbnail|img",
        "tree": "tree item|tree node",
    }.items()
    for name in names.split("|")
}
# Nouns for a place or a kind of control without a role of its own: dropped from a label, kept alone.
PLACES: frozenset[str] = frozenset(
    words(
        "dialog|dialog box|dialogue|dialogue box|modal|popup|pop-up|pop up|"
        "popup window|window|section|sections|panel|pane|form|page|screen|menu|"
        "submenu|sidebar|side bar|toolbar|navigation bar|navbar|nav bar|menu bar|"
        "header|footer|area|tile|icon|icons|symbol|item|items|entry|control|"
        "element|widget|box|boxes|accordion|group|region|banner|column|cell|website|site|"
        "webpage|web page"
    )
)
# Of those, the ones that are part of what a thing is called when nothing else says it.
CONTAINERS: frozenset[str] = PLACES - {"icon", "icons", "item", "items", "entry", "control",
                                       "element", "widget", "symbol", "box"}  # fmt: skip

ORDINALS: dict[str, int] = {
    word: index
    for index, names in enumerate(
        words(
    "first 1st|second 2nd|third 3rd|fourth 4th|fifth 5th|sixth 6th|seventh 7th|"
    "eighth 8th|ninth 9th|tenth 10th|eleventh 11th|twelfth 12th"
),
        start=1,
    )
    for word in names.split()
} | {"last": -1, "final": -1, "bottommost": -1, "topmost": 1}  # fmt: skip
MONTHS = frozenset(
    words(
        "january|february|march|april|may|june|july|august|september|october|november|december|"
        "jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec"
    )
)
CARDINALS: dict[str, int] = {
    word: index
    for index, word in enumerate(
        words("one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"),
        start=1,
    )
}
COLORS = frozenset(
    words(
        "red|green|blue|yellow|orange|purple|pink|black|white|gray|grey|brown|"
        "cyan|magenta|aqua|lime|violet|teal|navy|maroon|olive|turquoise|gold|"
        "silver"
    )
)
POSITIONS: dict[str, str] = {
    "top": "top", "upper": "top", "uppermost": "top", "bottom": "bottom", "lower": "bottom",
    "left": "left", "leftmost": "left", "left-hand": "left", "right": "right",
    "rightmost": "right", "right-hand": "right", "middle": "middle", "center": "middle",
    "centre": "middle", "top-left": "top left", "top-right": "top right",
    "bottom-left": "bottom left", "bottom-right": "bottom right",
}  # fmt: skip
ARTICLES = frozenset(words("the|a|an|my|your|this|that|these|those|any|some|its|their|his|her|our"))
# Where a list is turned to: the page after this one, or one by its number.
TURNS = frozenset(["next", "previous", "prev", "following"])
QUANTIFIERS = frozenset(["all", "every", "each", "both"])
PRONOUNS = frozenset(words("it|them|that|this|one|those|these|there"))
NAMING = frozenset(
    words("labeled|labelled|named|called|titled|marked|reading|saying|captioned|entitled|tagged")
)
NAME_NOUNS = frozenset(words("text|label|title|name|caption|word|words|wording|labels"))
EXCEPTIONS: tuple[tuple[str, ...], ...] = tuple(
    tuple(phrase.split())
    for phrase in words(
        "except for|except|but not|other than|besides|apart from|excluding|but|"
        "aside from|with the exception of|save for"
    )
)
WITHIN: tuple[tuple[str, ...], ...] = tuple(
    tuple(phrase.split())
    for phrase in words(
        "inside of|inside|within|in|on|of|for|from|by|under|underneath|at|"
        "belonging to|sent by|written by|posted by|made by|that belongs to|from within|"
        "into|onto|out of|off of|regarding|about|to|that is in|that is on|"
        "which is in|that's in|that you got from|you got from|you received from|"
        "received from|with"
    )
)
NEAR: tuple[tuple[str, ...], ...] = tuple(
    tuple(phrase.split())
    for phrase in words(
        "next to|beside|near to|near|close to|adjacent to|to the left of|"
        "to the right of|left of|right of|above|below|beneath|right next to|following|"
        "alongside|on the left of|on the right of|closest to|with"
    )
)
# Nouns that end the name of a field: "first name", "date of birth", "zip code".
FIELD_HEADS = frozenset(
    words(
        "name|number|address|code|date|birth|id|type|email|mail|phone|password|"
        "username|user|city|country|state|zip|postcode|age|sex|gender|title|"
        "subject|message|body|notes|note|comment|comments|description|price|amount|"
        "quantity|status|role|company|street|time|day|month|year|category|color|"
        "colour|size|url|website|salary|department|priority|due|start|end"
    )
)
# What a value may be called without that being a field's label.
VALUE_NOUNS = frozenset(
    words(
        "text|value|word|words|string|phrase|number|following|characters|letters|"
        "answer|term|query|keyword|keywords|sentence"
    )
)
# A description of what to find out first, not a value or a label.
DESCRIPTIVE = words(
    "similar to|that starts with|that start with|starting with|that ends with|ending with|"
    "that contains|that contain|greater than|less than|that begins with|that has|that is not"
)
STOP_TAIL: tuple[tuple[str, ...], ...] = tuple(
    tuple(phrase.split())
    for phrase in words(
        "please|for me|thanks|thank you|thx|when done|when finished|when you are done|"
        "when you're done|when you are finished|right away|right now|asap|if possible|"
        "if you can|now|once done|when complete|when ready|as well|too|immediately|"
        "again|instead|afterwards|on the page|on this page|on the screen|in the page|"
        "on the current page|in the browser|below|above|here|please and thank you|"
        "if you don't mind|when you're finished|at once|on this website|on this site|"
        "in the app"
    )
)
LEAD_INS: tuple[tuple[str, ...], ...] = tuple(
    tuple(phrase.split())
    for phrase in words(
        "please|kindly|could you please|could you|can you please|can you|"
        "would you please|would you|will you|can we|could we|i want you to|i want to|"
        "i'd like you to|i'd like to|i would like you to|i would like to|i need you to|"
        "i need to|i wish to|i want|i'd like|i would like|your task is to|"
        "your goal is to|your job is to|the task is to|the goal is to|task :|goal :|"
        "you need to|you should|you must|you have to|you can|we need to|we have to|"
        "we should|let's|let us|let me|go ahead and|now|first of all|first|firstly|"
        "second|secondly|third|thirdly|next|then|finally|lastly|last|afterwards|"
        "afterward|after that|after this|and then|also|just|simply|hey|hi|hello|ok|"
        "okay|so|well|try to|try and|be sure to|make sure to|make sure you|"
        "make sure that you|remember to|don't forget to|help me to|help me|i have to|"
        "i must|i'm going to|would you mind|in the end|in the following step|and|"
        "once done|when done|when you are done|when finished|once finished|start by|"
        "begin by|after which|to start|to begin|to begin with|go and|again|plus|"
        "you are asked to|you will need to|the user wants to|the user wants you to|"
        "and finally|but first|do the following|follow these steps|"
        "it would be great if you could|i'm trying to|need to|want to|you|we|i|to|"
        "at the end|in addition|additionally|i was wondering if you could|"
        "would it be possible to|is it possible to|may i ask you to|may i|can i|could i|"
        "quickly|carefully|but|if you could|if you can|do me a favor and|"
        "as soon as possible|as a first step|as the next step|and also|that's done"
    )
)
SEQUENCE_WORDS = frozenset(["then", "afterwards", "finally", "next", "lastly", "subsequently"])
NEGATIONS: tuple[tuple[str, ...], ...] = tuple(
    tuple(phrase.split())
    for phrase in words(
        "do not|don't|dont|never|without|but don't|but do not|but without|and don't|"
        "and do not|please don't|please do not|avoid|you must not|you mustn't|"
        "you should not|you shouldn't|make sure not to|make sure you don't|"
        "be careful not to|must not|should not|shouldn't|but never|refrain from|"
        "make sure you do not|be sure not to|i don't want you to|i do not want you to|"
        "i don't want to|not|instead of|rather than|make sure that you don't|cannot|"
        "can't|under no circumstances"
    )
)
CONDITIONS = frozenset(words("if|unless|whenever|until|otherwise|while|in-case"))
CREDENTIALS: dict[str, str] = {
    "password": "password", "pass": "password", "pwd": "password", "passcode": "password",
    "passphrase": "password", "pw": "password", "pin": "password",
}  # fmt: skip
