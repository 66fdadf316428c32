"""Simulated applications, driven through the API without a browser.

An application is one file of `bench/data/scenes`: pages in a line language, the initial records,
and the goals that are evaluated on it.

    # Contacts                                heading; starts a section
    each people: [q~{1}] | {1} | {phone {1}} | btn Delete -> gone {1}:=yes; +{1} was deleted
    else No contacts found                    shown when the last `each` gave nothing
    form New contact                          a group: form, dialog, menu, list, fieldset; `end` leaves it
    inp Name :required                        a field; ` @key` if its key differs from its name, ` = value`
    sel City = Bath [Bath / Leeds]            a list and its options
    btn Save -> [Name=] !Name is required; phone {Name}:={Phone}; > list; +Saved
    [seen=yes] Any other line is text, here shown under a condition

Effects: `key=value` changes what is shown, `key:=value` saves (what `truth` reads), `> page` goes there,
`+text` is a message, `!text` an error that ends the effects, a leading `[condition]` makes one conditional.
Conditions: `key`, `!key`, `key=value`, `key!=value`, `key~text` (the value is part of the text), joined
by ` & `. `{key}` stands for a value, `{1}`, `{2}` for the columns of `each`, `{#}` counts the observations.
States: `:required`, `:readonly`, `:disabled`, a type as `:tel`, `:max12` to truncate, `:digits`.

`faults` of a case affect each save, starting with the one that `after` counts: `silent` does nothing, `lost`
continues as if it had saved, `says` does too with its own message, `queued` defers it, `rollback` reverts it
after one observation, `confirm` asks first, `login` shows the page of that name, and an error is shown by
`alert`, `toast`, `title`, `invalid` (a state of the first field), `plain` (far down) or `crash`.
"""
