"""The words of a text as claims are compared by: folded, stemmed, without those that tell nothing."""

from functools import lru_cache

from app.chat.evidence.alike import group_of, stemmed
from app.engines.provenance.tokens import fold
from app.text import patterns

_REMEMBERED = 65_536  # words
_WORD = patterns.compile(
    "[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]|(?:(?![\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff])[^\\W_])+"
)


def word_set(text: str) -> frozenset[str]:
    """The words of a line or more."""
    return frozenset(text.split())


# Words that a sentence of the language is hardly without, and that hardly any other language has.
_FUNCTION = {
    "english": word_set("the of and to is are for with that this be in on it you your must may can"),
    "german": word_set("der die das und ist sind ein eine nicht mit fur auf den dem des werden von zu im"),
    "french": word_set("le la les des est et une dans pour sur que vous avec sont du ne pas"),
    "spanish": word_set("el los las es y una para con que del por su se como son"),
    "italian": word_set("il gli che di una per con del della sono non nel alla"),
    "portuguese": word_set("o os as um uma para com que do da dos das nao sao em"),
    "dutch": word_set("het een en van voor met niet zijn op dat wordt aan de"),
}  # fmt: skip
STOP = word_set("""
a about above actually after all also although always am an and any anyone anything are around as at
away be
because been before being between both but by can cannot could did do does doing done down during each
either else
etc even ever every everyone everything few for from further get gets getting give given gives go goes
going got
had has have having he hence her here hers him his how however i if in instead into is it its itself
just let
like made make makes making many may me might more most much must my need needs neither no nor not
now of off often on once one only onto or other others our ours out over own per please rather really
receive
receives said same say says shall she should since so some someone something soon still such than that
the
their theirs them then there therefore these they thing things this those though through thus to
together
too toward towards under until up upon us use used uses using usually very via was way we well were what
when
where whether which while who whom whose why will with within without would yes yet you your yours
aber alle als am an auch auf aus bei bis bin bist da damit dann das dass dein dem den der des dich die
dies diese
dieser dieses dir doch du durch ein eine einem einen einer eines er es etwas euch fur hat haben hier ich
ihr
ihre im in ist ja jede jeder jedes kann kein keine konnen man mehr mein mit muss mussen nach nicht noch
nur oder
ohne sein seine sich sie sind so uber um und uns unser unter vom von vor war warum was wenn wer werden
wie wir wird
wo zu zum zur
au aux avec ce ces cette dans de des du elle en est et eux il ils je la le les leur lui ma mais mes moi
mon
ne nos notre nous on ou par pas pour qu que qui sa sans se ses son sont sur ta te tes toi tu un une vos
votre vous
al como con del el ella ellos entre era es esta este esto hay la las lo los mas mi muy no nos o para
pero por que
se ser si sin sobre son su sus tambien te tiene un una uno y ya
ao aos as com como da das do dos e em essa esse esta eu foi mais mas na nas nao no nos num o os ou pela
pelo por
que quem sao se sem seu sua suas tem um uma
che chi ci cui dal dalla dei del della di e gli ha ho i il io le lei lo loro lui mi ne nel nella noi non
per piu
quale quando sono su sua sul suo tra tu un una uno
aan bij dat de deze die dit een en er geen haar heb het hij hoe ik is je kan maar met mijn naar niet nog
of om
onze ook op te tot uit van veel voor waar wat wel werd wie wij ze zich zij zijn zo
""")  # fmt: skip
"""Words that claim nothing by themselves; may, must and not are looked at apart."""


@lru_cache(maxsize=4_096)
def tongue(text: str) -> str:
    """The language as a stemmer is called; English where the words do not tell."""
    words = fold(text[:2_000]).replace("'", " ").split()
    held = {name: sum(word in some for word in words) for name, some in _FUNCTION.items()}
    best = max(held, key=lambda name: held[name])
    return best if held[best] > held["english"] and held[best] >= 2 else "english"


@lru_cache(maxsize=_REMEMBERED)
def root(word: str, language: str = "english") -> str:
    """The stem of a folded word; words that mean the same in plain English have the same."""
    base = word.removesuffix("'s")
    if language == "english" and (group := group_of(base)):
        return group
    stem = stemmed(base, language)
    return (group_of(stem) or stem) if language == "english" else stem


def words_of(text: str) -> list[str]:
    """The folded words, those of scripts without blanks sign by sign."""
    return _WORD.findall(fold(text).replace("\u2019", "'").replace("'s", ""))


def tells(word: str) -> bool:
    """Whether a folded word claims something."""
    return word not in STOP and (len(word) > 1 or not word.isascii())
