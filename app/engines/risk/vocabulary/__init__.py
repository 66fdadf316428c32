"""The words that controls, dialogs and places go by, in English, German, French, Spanish, Portuguese
and Hebrew.

An entry is a word or, joined by `_`, words that follow each other; a trailing `*` takes any ending.
`elimin[ar]`, `supprim[er]`, `lösch[en]` stand for the forms in which such a verb commands
(`app.engines.risk.tagging`): the infinitive and the polite and plain imperatives, never the participle,
which tells what something is. Words of one language stand together, so that a missing one is easy to see.
"""
