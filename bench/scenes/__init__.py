"""Simulated applications that are driven through the API without a browser.

An application is one file of `bench/data/scenes`: pages in a line language, what is saved at the start,
and the goals that are judged on it.

    # Contacts                                heading; what follows is its section
    each people: [q~{1}] | {1} | {phone {1}} | btn Delete -> gone {1}:=yes; +{1} was deleted
    else No contacts found                    shown when the last `each` gave nothing
    form New contact                          a group: form, dialog, menu, list, fieldset; `end` leaves it
    inp Name :required                        a field; ` @key` when its name is not its key, ` = value`
    sel City = Bath [Bath / Leeds]            a list and its options
    btn Save -> [Name=] !Name is required; phone {Name}:={Phone}; > list; +Saved
    [seen=yes] Any other line is text, here shown under a condition

Effects: `key=value` changes what is shown, `key:=value` saves (what `truth` reads), `> page` goes there,
`+text` is a message, `!text` an error that ends the effects, `[condition]` before one makes it depend.
Conditions: `key`, `!key`, `key=value`, `key!=value`, `key~text` (the value is part of the text), joined
by ` & `. `{key}` stands for a value, `{1}`, `{2}` for the columns of `each`, `{#}` counts the looks.
States: `:required`, `:readonly`, `:disabled`, a type as `:tel`, `:max12` for what is cut, `:digits`.

`faults` of a case strike each saving, from the one that `after` counts: `silent` does nothing, `lost` goes
on as if it had saved, `says` too and has its own message, `queued` puts it off, `rollback` takes it back
after one look, `confirm` asks first, `login` shows the page of that name, and an error is shown by
`alert`, `toast`, `title`, `invalid` (a state of the first field), `plain` (far down) or `crash`.
"""
