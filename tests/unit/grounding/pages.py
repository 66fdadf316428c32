"""Realistic pages written as compact trees."""
# ruff: noqa: RUF001

from tests.unit.grounding.compact import tree

ADMIN = tree("""
@ nav: Main
n1 link Dashboard
n2 link Users {s=current}
n3 link Reports
n4 btn Orders ▾ {s=haspopup,collapsed}
n5 btn Account menu {s=haspopup,collapsed}
@ toolbar: Users
t1 inp Search users {t=search; h=Search by name or email…}
t2 btn + Add user
t3 btn Export CSV
t4 sel Role {v=All; o=All/Admin/Editor/Viewer}
@ section: Users > row: Jas Patel
a0 chk Select Jas Patel
a1 link Jas Patel
a2 btn Edit
a3 btn Delete
@ section: Users > row: Maria Lopez
b0 chk Select Maria Lopez
b1 link Maria Lopez
b2 btn Edit
b3 btn Delete
@ section: Users > row: Tom O'Neill
c0 chk Select Tom O'Neill
c1 link Tom O'Neill
c2 btn Edit
c3 btn Delete {s=disabled}
@ nav: Pagination
p1 btn Previous {s=disabled}
p2 btn 1 {s=current}
p3 btn 2
p4 btn 3
p5 btn Next
""")

LOGIN = tree("""
@ nav: Top
n1 link Pricing
n2 link Sign up
n3 link Docs
@ form: Welcome back
u inp Email address {t=email}
p inp Password {t=password}
r chk Remember me
f link Forgot your password?
s btn Sign in {t=submit}
g btn Continue with Google
@
x link Terms of Service
y link Privacy Policy
""")

SHOP = tree("""
@ nav: Header
h1 link Home
h2 inp  {t=search; h=Search products}
h3 btn Search
h4 link Basket (2)
h5 link Sign in
@ list: Products > item: Red Mug
i1 link Red Mug
i2 btn Add to cart
i3 btn ♥
@ list: Products > item: Blue Teapot
j1 link Blue Teapot
j2 btn Add to cart
j3 btn ♥
@ list: Products > item: Green Plate
k1 link Green Plate
k2 btn Add to cart {s=disabled}
k3 btn ♥
@ section: Filters
f1 chk In stock only
f2 chk On sale
f3 range Maximum price
f4 sel Sort by {v=Relevance; o=Relevance/Price: low to high/Price: high to low/Newest}
f5 btn Clear all
@ nav: Footer
z1 link Home
z2 link Shipping & Returns
z3 link Contact us
""")

INBOX = tree("""
@ nav: Folders
f1 link Inbox (14) {s=current}
f2 link Sent
f3 link Drafts [3]
f4 link Trash
f5 link Spam
f6 btn Compose
@ toolbar: Messages
t1 chk Select all
t2 btn Archive
t3 btn Delete
t4 btn Mark as read
t5 btn More ⋮ {s=haspopup}
@ list: Messages > item: Alice Brown
a0 chk Alice Brown
a1 row Alice Brown Lunch on Friday? 10:24
a2 btn Star
a3 btn Reply
@ list: Messages > item: Bob Stone
b0 chk Bob Stone
b1 row Bob Stone Invoice 4411 overdue Yesterday
b2 btn Star
b3 btn Reply
@ list: Messages > item: Carol White
c0 chk Carol White
c1 row Carol White Minutes of the meeting Monday
c2 btn Star
c3 btn Reply
""")

SETTINGS = tree("""
@ tablist: Settings
t1 tab General {s=selected}
t2 tab Notifications
t3 tab Security
t4 tab Billing & plans
@ tabpanel: General > form: Profile
a inp Display name {v=Jo}
b inp Bio {h=Tell people about yourself}
c sel Language {v=English; o=English/Deutsch/Français/Español}
d sel Time zone {v=UTC; o=UTC/Europe/Berlin/America/New York}
e chk Dark mode
f chk Show my email to others {s=checked}
g btn Save changes {t=submit}
h btn Discard
@ tabpanel: General > section: Danger zone
z btn Delete account
@ tabpanel: General > section: Avatar
v btn Change
w btn Remove
@ tabpanel: General > section: Cover photo
x btn Change
y btn Remove
""")

FORM = tree("""
@ form: Registration > fieldset: Personal
a inp First name * {s=required}
b inp Last name * {s=required}
c inp Date of birth {t=date}
d rad Female
@ form: Registration > fieldset: Sex
s1 rad Female
s2 rad Male
s3 rad Other
@ form: Registration > fieldset: Contact
e inp E-mail {t=email; s=required}
f inp Mobile number {t=tel}
g inp Street and number
h inp Postcode
i inp City
j sel Country {v=; o=Germany/France/United Kingdom/United States}
@ form: Registration > fieldset: Interests
k1 chk Music
k2 chk Sports
k3 chk Travel
@ form: Registration
m inp Comments {h=Anything else we should know?}
n chk I agree to the terms and conditions {s=required}
o file Upload your CV
q btn Reset
r btn Register {t=submit}
""")

WIZARD = tree("""
@ list: Steps
s1 btn 1 Details {s=current}
s2 btn 2 Shipping
s3 btn 3 Payment
@ section: Billing address
a inp Address line 1
b inp City
c inp ZIP code
@ section: Shipping address
d inp Address line 1
e inp City
f inp ZIP code
g chk Same as billing address
@ toolbar: Wizard
x btn Back {s=disabled}
y btn Save draft
z btn Continue
w link Cancel
""")

DIALOG = tree("""
@ section: Patients
l1 link Jas Patel {occ=1}
l2 btn Save {occ=1}
l3 btn New patient {occ=1}
l4 btn Close {occ=1}
@ dialog: Edit patient
h txt Edit patient {s=modal}
n inp Full name {v=Jas Patel; s=required}
p inp Phone {t=tel}
o inp Notes
c btn Cancel
s btn Save
v btn Save and add another
x btn ×
""")

TOOLBAR = tree("""
@ toolbar: Formatting
b btn format_bold
i btn format-italic
u btn formatUnderline
l btn icon-link
p btn fa fa-picture
d btn fa-trash
z btn Undo (Ctrl+Z)
y btn Redo ⇧⌘Z
m btn ⋮ {s=haspopup}
s btn 🔍
g btn ⚙
q btn ?
@
e inp  {h=Write something…}
""")

CALENDAR = tree("""
@ dialog: Choose date
a btn ‹
m btn November 2026 {s=haspopup}
b btn ›
d1 btn 1
d2 btn 2
d11 btn 11
d12 btn 12 {s=selected}
d21 btn 21
d22 btn 22 {s=current}
t link Today
c btn Clear
""")

RESULTS = tree("""
@ form: Search
q inp Search {v=tabby cats; t=search}
s btn Search {t=submit}
@ list: Results > item: Tabby cat - Encyclopedia
a link Tabby cat - Encyclopedia
@ list: Results > item: 12 facts about tabby cats
b link 12 facts about tabby cats
@ list: Results > item: Adopt a cat near you
c link Adopt a cat near you
@ list: Results > item: Cat food deals
d link Cat food deals
@ nav: Pages
p1 link 1 {s=current}
p2 link 2
p3 link 3
pn link Next ›
""")

MENUS = tree("""
@ nav: Menu bar
m1 btn File {s=haspopup,expanded}
m2 btn Edit {s=haspopup,collapsed}
m3 btn View {s=haspopup,collapsed}
m4 btn Patient ▾ {s=haspopup,collapsed}
@ nav: Menu bar > menu: File
f1 menu New file Ctrl+N
f2 menu Open… Ctrl+O
f3 menu Save Ctrl+S
f4 menu Save as… Ctrl+Shift+S
f5 menu Export {s=haspopup}
f6 menu Exit
@ tree: Explorer
e1 tree src {s=collapsed}
e2 tree tests {s=collapsed}
e3 tree README.md
@ section: Widgets
w1 tab Tab #1 {s=selected}
w2 tab Tab #2
w3 tab Tab #3
w4 link Page 3
w5 link Page 1
w6 link Page 2
w7 btn ONE {box=10,10,50,20}
w8 btn ONE {box=300,10,50,20}
w9 btn submit {box=10,400,50,20}
""")
