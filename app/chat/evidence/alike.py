"""Plain English words that an honest paraphrase takes for each other, and words that say the opposite."""

from functools import cache
from importlib import import_module

_ALIKE = """
employee staff worker workers personnel
holiday holidays vacation leave
cost costs price prices fee fees charge charges
begin begins start starts commence commences started begun
end ends finish finishes terminate terminates finished ended
buy buys purchase purchases bought
delete deletes remove removes erase deleted removed erased
annual annually yearly
monthly month months
daily day days
weekly week weeks
hourly hour hours
allow permit allows permits allowed permitted
forbid forbids forbidden prohibit prohibits prohibited
require requires required mandatory obligatory compulsory
optional voluntary
submit send hand submitted sent
ask request requests asked requested
choose select pick chosen selected picked
show display shown displayed shows displays
configuration config settings
directory folder directories folders
reimburse refund reimbursed refunded reimbursement
superior manager supervisor
remote remotely
obtain acquire obtained acquired
help assist assistance support
keep retain store kept retained stored
begin launch
change modify alter changed modified altered
whole entire
maximum max maximal
minimum min minimal
approximately about roughly
firm company organisation organization
error fault failure
repair fix repaired fixed
contain include contains includes included
provide supply provides supplies provided
per each every
quick fast quickly
customer client customers clients
"""
OPPOSITE = """
allow permit entitle eligible / forbid prohibit ban disallow deny ineligible
accept approve grant / reject decline refuse
increase rise rose risen raise grow grew grown / decrease reduce fall fell fallen lower drop shrink shrank
enable activate / disable deactivate
include / exclude exempt
before / after
above / below
earlier / later
first / last
minimum / maximum
always / never
mandatory require obligatory compulsory / optional voluntary
internal / external
open / close
add / remove delete
buy / sell
start begin / stop end
higher / lower
largest biggest highest / smallest lowest
longest / shortest
safe / dangerous unsafe
succeed success / fail failure
valid / invalid
legal / illegal
possible / impossible
public / private
full-time / part-time
old / new
synchronous / asynchronous
encrypted / unencrypted
true / false
income / expense
debit / credit
employer / employee
seller / buyer
lender / borrower
import / export
upload / download
encode / decode
lock / unlock
install / uninstall
morning / evening afternoon
left / right
"""


def stemmed(word: str, language: str = "english") -> str:
    """By the algorithm of that name. Loaded when first asked for: a server starts without it."""
    stem: str = import_module("Stemmer").Stemmer(language).stemWord(word)
    return stem


@cache
def _groups() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in _ALIKE.split("\n"):
        words = line.split()
        for word in words:
            table.setdefault(word, f"={words[0]}")
            table.setdefault(stemmed(word), f"={words[0]}")
    return table


def group_of(word: str) -> str | None:
    """What stands for the word and those it can be taken for; None for most words."""
    return _groups().get(word)
