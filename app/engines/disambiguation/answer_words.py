"""Words that answer "which one?": numbers, ordinals, all and none, in the languages people say them in.

Written without accents and in lower case, as `app.engines.risk.lexicon.words` reads a text. English,
Hebrew, German, French, Spanish, Portuguese.
"""

from collections.abc import Mapping
from types import MappingProxyType

_BY_NUMBER = (
    "one first 1st אחד אחת ראשון ראשונה הראשון הראשונה eins ein eine erste erster erstes ersten"
    " un une premier premiere primero primera primer primeiro primeira um uma uno una",
    "two second 2nd שתיים שניים שני שנייה שניה השני השנייה השניה zwei zweite zweiter zweites zweiten"
    " deux deuxieme seconde dos segundo segunda dois duas",
    "three third 3rd שלוש שלושה שלישי שלישית השלישי השלישית drei dritte dritter drittes dritten"
    " trois troisieme tres tercero tercera tercer terceiro terceira",
    "four fourth 4th ארבע ארבעה רביעי רביעית הרביעי הרביעית vier vierte vierter viertes vierten"
    " quatre quatrieme cuatro cuarto cuarta quatro quarto quarta",
    "five fifth 5th חמש חמישה חמישי חמישית החמישי החמישית funf funfte funfter funftes funften"
    " cinq cinquieme cinco quinto quinta",
    "six sixth 6th שש שישה ששי שישי שישית השישי השישית sechs sechste sechster sechstes sechsten"
    " sixieme seis sexto sexta",
    "seven seventh 7th שבע שבעה שביעי שביעית השביעי השביעית sieben siebte siebter siebtes siebten"
    " sept septieme siete septimo septima sete setimo setima",
    "eight eighth 8th שמונה שמיני שמינית השמיני השמינית acht achte achter achtes achten"
    " huit huitieme ocho octavo octava oito oitavo oitava",
    "nine ninth 9th תשע תשעה תשיעי תשיעית התשיעי התשיעית neun neunte neunter neuntes neunten"
    " neuf neuvieme nueve noveno novena nove nono nona",
)
NUMBERS: Mapping[str, int] = MappingProxyType(
    {word: at for at, line in enumerate(_BY_NUMBER, start=1) for word in line.split()}
)
_LAST = (
    "last אחרון אחרונה האחרון האחרונה letzte letzter letztes letzten dernier derniere ultimo ultima"
)
LAST = frozenset(_LAST.split())

_BOTH = "both|the two|two of them|both of them|שניהם|שתיהן|את שניהם|את שתיהן|beide|beiden|les deux"
_BOTH += "|tous les deux|toutes les deux|ambos|ambas|los dos|las dos|os dois|as duas"
BOTH = frozenset(_BOTH.split("|"))
_ALL = "all|all of them|all of these|every one|everyone|each|each of them|each one|every|everything"
_ALL += "|כולם|כולן|הכל|את כולם|את כולן|את הכל|כל אחד|כל אחת|alle|alles|alle davon|jede|jeder|jedes"
_ALL += "|tous|toutes|tout|chacun|chacune|todos|todas|todo|cada uno|cada una|tudo|cada um|cada uma"
ALL = frozenset(_ALL.split("|"))
_NONE = "none|none of them|none of these|neither|neither of them|nothing|no one|not any|no|nope"
_NONE += (
    "|אף אחד|אף אחת|אף אחד מהם|אף אחת מהן|שום דבר|לא|כלום|keine|keiner|keines|keins|nichts|nein"
)
_NONE += "|keine davon|keiner davon|aucun|aucune|aucun des deux|ni l un ni l autre|rien|non"
_NONE += "|ninguno|ninguna|ninguno de ellos|nada|nenhum|nenhuma|nenhum deles|nao"
NONE = frozenset(_NONE.split("|"))

# Said around what is meant, and meaning nothing by itself.
_FILLERS = (
    "the a an one ones only just please option number no nr nummer numero and plus that this it is"
    " i mean meant want take choose pick select delete from of with in by for called named"
    " את ואת ה של זה זו זאת האפשרות מספר עם וגם גם בבקשה מ ב ל"
    " der die das den dem ein eine nummer und bitte von vom mit aus"
    " le la les l un une numero et s il vous plait celui celle de du des d avec"
    " el los las lo numero y por favor de del con con el"
    " o os as e por favor do da dos das com"
)
FILLERS = frozenset(_FILLERS.split())
_WEAK = "one ones ein eine un une um uma uno una אחד אחת"
WEAK = frozenset(_WEAK.split())
"""The number one only where no other is said: "the second one"."""
_AND = "and und et y e plus ו וגם גם"  # noqa: RUF001 - Hebrew
AND = frozenset(_AND.split())
_TO = "to through until bis a ate hasta עד"
TO = frozenset(_TO.split())
