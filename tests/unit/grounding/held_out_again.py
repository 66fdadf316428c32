"""A second held-out set, written after the faults that the first one showed had been mended."""

from tests.unit.grounding.compact import tree
from tests.unit.grounding.labelled import Case, on

BANK = tree("""
@ nav
n1 link Accounts {s=current}
n2 link Transfers
n3 link Cards
n4 btn Profile {s=collapsed,haspopup}
@ section: Current account
a btn Send money
b btn Details
c link Download statement
@ section: Savings
d btn Send money
e btn Details
f link Download statement
@ form: Quick transfer
g inp Recipient {s=required}
h inp IBAN
i inp Amount (€) {t=number}
j inp Reference
k chk Save as template
l btn Review transfer {t=submit}
@ section: Transactions
s sel Period {v=Last 30 days; o=Last 7 days/Last 30 days/This year}
@ section: Transactions > row: 3 Nov, Grocer, -45.10
r1 link Grocer
r2 btn Dispute
@ section: Transactions > row: 5 Nov, Rent, -900.00
q1 link Rent
q2 btn Dispute
""")

WIKI = tree("""
@ nav: Article
a link Read {s=current}
b link Edit source
c link View history
d btn Watch
@ form
e inp  {h=Search the wiki; t=search}
f btn magnifying-glass
@ nav: Contents
g link 1 Early life
h link 2 Career
i link 3 Awards and honours
j btn Hide
@ section: Talk
k inp Your comment {t=textarea}
l btn Post
m btn Preview
@ nav: Languages
o link Deutsch
p link Français
q link Español
""")

SHIFT = tree("""
@ dialog: Add shift
t txt Add shift {s=modal}
a sel Employee {o=Ana Silva/Bo Larsen/Chen Yu}
b inp Start time {t=time}
c inp End time {t=time}
d rad Day
e rad Night
f chk Repeat weekly
g btn Discard
h btn Add shift
i btn Close dialog
@ toolbar: Week
j btn Add shift {occ=1}
k btn Previous week {occ=1}
l btn Next week {occ=1}
m tab Week {s=selected; occ=1}
n tab Month {occ=1}
""")

HELD_OUT_AGAIN: list[Case] = [
    *on(
        BANK,
        ("Send money", "?"), ("send money", {"within": "Savings"}, "d"), ("details", {"ordinal": 1}, "b"),
        ("download statement", {"within": "the current account section"}, "c"), ("transfers", "n2"),
        ("recipient", {"verb": "fill"}, "g"), ("amount", {"verb": "fill"}, "i"),
        ("iban", {"verb": "fill"}, "h"),
        ("review", "l"), ("", {"verb": "submit"}, "l"), ("This year", {"verb": "select"}, "s"),
        ("Dispute", {"within": "Rent"}, "q2"), ("dispute", {"near": "Grocer"}, "r2"), ("mortgage", "-"),
        ("Dispute", {"within": "Insurance"}, "-"), ("template", {"verb": "check"}, "k"), ("cards", "n3"),
        ("account settings", "-"), ("savings details", "e"), ("period", {"verb": "select"}, "s"),
        ("tranfers", "n2"), ("Details", {"all": True}, "b e"), ("Dispute", {"within": "the first row"}, "r2"),
    ),
    *on(
        WIKI,
        ("edit", "b"), ("history", "c"), ("watch", {"role": "btn"}, "d"), ("search", {"verb": "fill"}, "e"),
        ("search", {"role": "btn"}, "f"), ("career", "h"), ("awards", "i"), ("French", "-"), ("Deutsch", "o"),
        ("comment", {"verb": "fill"}, "k"), ("post", "l"), ("preview", "m"), ("Delete page", "-"),
        ("espanol", "q"), ("", {"role": "link", "within": "languages", "ordinal": 2}, "p"),
        ("hide contents", "j"),
        ("Watch", {"quoted": True}, "d"), ("unwatch", "-"),
    ),
    *on(
        SHIFT,
        ("Add shift", "h"), ("add", "h"), ("Close", "i"), ("start", {"verb": "fill"}, "b"),
        ("end time", {"verb": "fill"}, "c"), ("Night", {"verb": "select"}, "e"),
        ("repeat", {"verb": "check"}, "f"),
        ("Bo Larsen", {"verb": "select"}, "a"), ("employee", {"verb": "select", "value": "Chen Yu"}, "a"),
        ("month", {"role": "tab"}, "n"), ("next week", "l"), ("cancel", "-"), ("", {"verb": "submit"}, "h"),
        ("dialog", {"verb": "close"}, "i"), ("break", {"verb": "fill"}, "-"), ("Save", "-"),
        ("shift", {"verb": "create"}, "h"), ("day", {"role": "rad"}, "d"),
    ),
]  # fmt: skip
