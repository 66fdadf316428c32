"""What an answer says that is no value: that nobody knows, that it stays empty, or something else."""

import unicodedata

from app.text import patterns

# English, German, French, Spanish, Portuguese, Hebrew; folded as `folded` does it.
_UNKNOWN = patterns.compile(
    r"(?:i |we )?(?:do not|don t|dont) know(?: (?:it|that|yet|this|them))*|dunno|idk"
    r"|(?:i have )?no (?:idea|clue)"
    r"|(?:i am |i m )?not sure|(?:i )?(?:cannot|can t|cant) (?:say|tell|remember)|nobody knows"
    r"|(?:ich )?weiss (?:ich )?(?:es |das )?nicht|keine ahnung|k a"
    r"|je (?:ne )?(?:le )?sais pas|aucune idee|aucune id|(?:yo )?no (?:lo )?se|ni idea|no tengo ni idea"
    r"|(?:eu )?nao (?:o )?sei|nao faco ideia|nao tenho ideia"
    r"|(?:אני )?לא (?:יודע|יודעת|יודעים)|אין לי מושג|אין לי שמץ"
)
_EMPTY = patterns.compile(
    r"skip(?: (?:it|this|that|them|this one))?|leave (?:it|that|this|them|the field)?\s?(?:empty|blank|out)"
    r"|(?:keep|let) it (?:empty|blank)|no value|n a|empty|blank"
    r"|(?:uberspringen|auslassen|weglassen)|leer(?: lassen)?|lass (?:es|das|sie) (?:leer|weg)"
    r"|passe[rz]?|sauter|(?:laisse[rz]?|laissez le)(?: le| la)? vide|vide"
    r"|omitir|omitelo|saltar|saltalo|deja(?:r|lo|la)? vacio|dejar en blanco|dejalo en blanco|vacio"
    r"|pular|pule|deixa(?:r)?(?: em branco| vazio)|deixe(?: em branco| vazio)|vazio"
    r"|דלג|דלגי|לדלג|להשאיר ריק|השאר ריק|תשאיר ריק|תשאירי ריק|ריק"
)
_NOTHING = patterns.compile(
    r"none|nothing|no|there (?:is|are) none|not any|keine?s?|keinen|nichts|aucune?|rien|ningun[oa]?|nada"
    r"|nenhum|nenhuma|אין|כלום"
)
_CANCELS = patterns.compile(
    r"(?:please )?(?:cancel|abort|stop|quit|never mind|nevermind|forget (?:it|about it))"
    r"(?: (?:it|this|that|everything|all|please|now))*"
    r"|abbrechen|abbruch|brich ab|stopp|vergiss es|annule[rz]?|arrete[rz]?|laisse tomber"
    r"|cancela(?:r|lo)?|dejalo|olvidalo|parar?|cancele|deixa pra la|esquece"
    r"|בטל|בטלי|ביטול|לבטל|עצור|עצרי|תעצור|עזוב|עזבי"
)
_TURNS = patterns.compile(
    r"(?:no|nein|non|nao|לא|nope|stop|wait|actually|halt|attends?|espera|eigentlich|en fait|עצור|רגע)"
    r"\s*[,.;:!\u2013\u2014-]\s*\S+\s+\S"
    r"|(?:please )?(?:don t|do not|dont|bitte nicht|ne pas|no lo hagas|al ta|אל)\s+\S+"
    r"|(?:.+\s)?(?:instead|stattdessen|a la place|plutot|en su lugar|en vez de eso|em vez disso"
    r"|במקום(?: זה)?)"
    r"(?:\s(?:please|bitte|por favor|s il (?:te|vous) plait|בבקשה))?$"
)
_ORDERS = frozenset(
    [
        "delete",
        "remove",
        "click",
        "press",
        "open",
        "close",
        "go",
        "save",
        "submit",
        "send",
        "add",
        "create",
        "edit",
        "change",
        "search",
        "find",
        "scroll",
        "select",
        "choose",
        "show",
        "log",
        "sign",
        "navigate",
        "download",
        "upload",
        "print",
        "losche",
        "losch",
        "entferne",
        "klicke",
        "klick",
        "offne",
        "schliesse",
        "gehe",
        "geh",
        "speichere",
        "sende",
        "suche",
        "wahle",
        "zeige",
        "supprime",
        "supprimez",
        "efface",
        "ouvre",
        "ouvrez",
        "ferme",
        "clique",
        "cliquez",
        "enregistre",
        "envoie",
        "cherche",
        "choisis",
        "borra",
        "elimina",
        "abre",
        "cierra",
        "pulsa",
        "guarda",
        "envia",
        "busca",
        "elige",
        "apague",
        "exclua",
        "apaga",
        "abra",
        "feche",
        "clique",
        "salve",
        "envie",
        "procure",
        "escolha",
        "מחק",
        "מחקי",
        "תמחק",
        "פתח",
        "פתחי",
        "תפתח",
        "לחץ",
        "לחצי",
        "סגור",
        "שמור",
        "שלח",
        "חפש",
        "בחר",
    ]
)
_PRESSES = frozenset({"click", "klicke", "klick", "clique", "cliquez", "pulsa", "לחץ", "לחצי"})
_MARKS = patterns.compile(r"[^\w\s,.;:!?\u2013\u2014-]")
_SHORT_OF_MARKS = patterns.compile(r"[^\w\s]")


def folded(text: str, *, marks: bool = False) -> str:
    """Lower case, without accents; signs are spaces, unless `marks` keeps those of a sentence."""
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'").casefold())
    plain = "".join(one for one in plain if not unicodedata.combining(one))
    return " ".join((_MARKS if marks else _SHORT_OF_MARKS).sub(" ", plain).split())


def is_unknown(text: str) -> bool:
    """Whether it says that the person does not know."""
    said = folded(text)
    return (not said and "?" in text) or _UNKNOWN.fullmatch(said) is not None


def is_empty(text: str, *, required: bool) -> bool:
    """Whether it says to leave the field empty; "none" may be the value of one that is demanded."""
    said = folded(text)
    if not said:
        return bool(text.strip()) and set(text.strip()) <= set("-\u2013\u2014/.")
    return _EMPTY.fullmatch(said) is not None or (
        not required and _NOTHING.fullmatch(said) is not None
    )


def is_cancel(text: str) -> bool:
    """Whether all that it says is to stop."""
    return _CANCELS.fullmatch(folded(text)) is not None


def is_turn(text: str, *, may_be_sentence: bool) -> bool:
    """Whether it asks for something else than was asked: "no, delete it instead", "open the menu".

    `may_be_sentence`: the field takes sentences, such as a title of a task, and an order may be one.
    """
    said = folded(text, marks=True)
    if may_be_sentence:
        return said.startswith(("no,", "nein,", "non,", "nao,", "לא,")) and bool(
            _TURNS.fullmatch(said) or _TURNS.match(said)
        )
    if _TURNS.match(said):
        return True
    words = text.split()
    ordered = len(words) > 1 and folded(words[0]) in _ORDERS
    if ordered and folded(words[0]) in _PRESSES:
        return True
    return ordered and words[1][:1] == words[1][:1].lower() and not words[1][:1].isdigit()
