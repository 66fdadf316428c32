"""Cases written after the grounder was tuned, on pages it was not tuned on, to measure it honestly."""

from tests.unit.grounding.compact import tree
from tests.unit.grounding.labelled import Case, on

HOSPITAL = tree("""
@ nav: Sidebar
n1 link Overview
n2 link Appointments
n3 link Beds & wards
n4 link Staff
n5 btn Sign out
@ section: Today
t1 btn Book appointment
t2 btn Print list
t3 inp  {h=Find a patient; t=search}
@ section: Today > row: 09:00 Miriam Katz Cardiology
a1 link Miriam Katz
a2 btn Reschedule
a3 btn Cancel
@ section: Today > row: 09:30 Omar Haddad Radiology
b1 link Omar Haddad
b2 btn Reschedule
b3 btn Cancel
@ section: Today > row: 10:15 Li Wei Cardiology
c1 link Li Wei
c2 btn Reschedule
c3 btn Cancel
""")

TICKETS = tree("""
@ form: New issue
a inp Title {s=required}
b inp Description
c sel Assignee {o=Unassigned/Ana/Ben/Chloé}
d sel Priority {o=Low/Normal/High/Urgent}
e chk Notify watchers
f btn Create issue {t=submit}
g btn Create more
h link Cancel
@ tablist: Views
v1 tab Board
v2 tab Backlog {s=selected}
v3 tab Roadmap
@ list: Backlog > item: PROJ-12
i1 link PROJ-12 Login page crashes
i2 btn Actions {s=haspopup}
@ list: Backlog > item: PROJ-15
j1 link PROJ-15 Slow report
j2 btn Actions {s=haspopup}
""")

TRAVEL = tree("""
@ form: Search trains
a inp From
b inp To
c inp Departure date {t=date}
d inp Return date {t=date}
e sel Passengers {v=1 adult; o=1 adult/2 adults/3 adults}
f rad One way {s=checked}
g rad Round trip
h chk Direct connections only
i btn Swap stations
j btn Find trains {t=submit}
@ dialog: Cookies
k btn Accept all
l btn Reject all
m link Manage preferences
""")

PLAYER = tree("""
@ toolbar: Player
a btn Play (k)
b btn Next (SHIFT+n)
c btn Mute (m)
d range Volume
e btn Subtitles/closed captions (c)
f btn Settings {s=haspopup}
g btn Full screen (f)
@ section: Comments
h inp  {h=Add a comment…}
i btn Comment {s=disabled}
@ list: Up next > item: Baking bread
j link Baking bread
k btn Watch later
@ list: Up next > item: Sourdough basics
l link Sourdough basics
m btn Watch later
""")

HELD_OUT: list[Case] = [
    *on(
        HOSPITAL,
        ("Staff", "n4"), ("logout", "n5"), ("Cancel", "?"), ("Cancel", {"within": "Omar Haddad"}, "b3"),
        ("reschedule", {"near": "Li Wei"}, "c2"), ("book an appointment", "t1"), ("wards", "n3"),
        ("apointments", "n2"), ("print", "t2"), ("Reschedule", {"ordinal": 2}, "b2"),
        ("Cancel", {"within": "the last row"}, "c3"), ("patient", {"verb": "fill"}, "t3"),
        ("Radiology", {"verb": "open"}, "-"), ("Cancel", {"within": "Radiology"}, "b3"),
        ("Invoices", "-"), ("miriam katz", {"quoted": True}, "a1"),
        ("Cancel", {"within": "Cardiology"}, "?"), ("", {"verb": "logout"}, "n5"),
    ),
    *on(
        TICKETS,
        ("Create issue", "f"), ("create", "?"), ("new issue", "f"), ("issue", {"verb": "create"}, "f"),
        ("assignee", {"verb": "select", "value": "Chloé"}, "c"), ("Urgent", {"verb": "select"}, "d"),
        ("subject", {"verb": "fill"}, "a"), ("roadmap", {"role": "tab"}, "v3"), ("PROJ-15", "j1"),
        ("actions", {"within": "PROJ-12"}, "i2"), ("Actions", "?"), ("login page crashes", "i1"),
        ("notify", {"verb": "check"}, "e"), ("", {"verb": "submit"}, "f"),
        ("due date", {"verb": "fill"}, "-"),
        ("Sprint planning", "-"), ("details", {"verb": "fill"}, "b"), ("slow reports", "j1"),
    ),
    *on(
        TRAVEL,
        ("from", {"verb": "fill"}, "a"), ("Destination", {"verb": "fill"}, "-"),
        ("to", {"verb": "fill"}, "b"),
        ("departure", {"verb": "fill"}, "c"), ("return date", {"verb": "fill"}, "d"), ("round trip", "g"),
        ("2 adults", {"verb": "select"}, "e"), ("search trains", "j"), ("Accept", "k"),
        ("cookies", {"verb": "close"}, "-"), ("reject all cookies", "l"), ("direct", {"verb": "check"}, "h"),
        ("cookie preferences", "m"), ("swap", "i"), ("Hotels", "-"),
    ),
    *on(
        PLAYER,
        ("Play", "a"), ("pause", "-"), ("next", "b"), ("fullscreen", "g"), ("captions", "e"),
        ("Watch later", "?"), ("watch later", {"within": "Sourdough basics"}, "m"),
        ("comment", {"verb": "fill"}, "h"),
        ("comment", {"role": "btn"}, "i"), ("volume", {"role": "range"}, "d"), ("Download", "-"),
        ("bread", "j"), ("preferences", "f"), ("Watch later", {"all": True}, "k m"),
    ),
]  # fmt: skip
