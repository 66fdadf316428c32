"""Attacks by text from a page, a document or a search, as data, and the code that plays them.

worlds    what the person wants, on which page, and how it is done right
demands   what an order makes the model do, and what must not happen
wordings  how an order is worded or hidden
places    where the text stands in what the extension or a search sends
table     the attacks: each a world, a demand, a wording and a place
obeying   a model that reads its prompt and obeys every order in it
stage     plays one attack over HTTP and judges the outcome
"""
