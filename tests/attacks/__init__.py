"""Attacks by text that a page, a document or a search brings, as data, and who carries them out.

worlds    what the person wants, on which page, and how it is rightly done
demands   what an order makes the model do, and what must then not have happened
wordings  how an order is worded or hidden in writing
places    where in what the extension or a search sends the text stands
table     the attacks: a world, a demand, a wording and a place each
obeying   a model that reads its prompt and obeys every order it finds
stage     one attack played over HTTP, and what came of it
"""
