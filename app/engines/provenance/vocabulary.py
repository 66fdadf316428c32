"""Words that are no values by themselves, and words that stand for values in another spelling.

English, German, French, Spanish, Portuguese and Hebrew, a line each, without accents, as
`tokens.fold` leaves them. Nothing of one site, product or task belongs here.
"""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _numbered(table: dict[int, str]) -> dict[str, int]:
    return {word: number for number, line in table.items() for word in line.split()}


GLUE = _set("""
a an and as at be by for from in into is it its of off on or out per that the their this to under
was were with
am an auf aus bei bis das dem den der des die ein eine einem einen einer fur im in ist mit nach
oder um und von zu zum zur
a au aux avec ce dans de des du en est et la le les ou par pour sur un une l d
a al con de del el en es la las lo los o para por su un una y
a ao as com da das de do dos e em na no o os ou para por um uma
את של על עם או זה הוא היא אל
""")

INTRODUCING = _set("""
as called equals is named named be being of spelled to value with
als heisst ist lautet namens gleich auf mit
appele appelee est nomme nommee valeur avec
es igual llamado llamada nombrado valor con
chamado chamada igual valor com
בשם הוא שווה בתור עם
""")
"""Words that a value may follow: "status to new", "with name Jas"."""

LABELS = _set("""
account address age amount birth birthday city code comment comments company country cvv date day
dob email
family fax field first form full gender given id last line login mail message middle mobile month
name
names note notes number password phone postal postcode price quantity reason sex state street
subject surname tel telephone time title town type url user username value website year zip
adresse alter betrag datum feld geburtsdatum geschlecht land nachname nachricht notiz ort passwort
plz
stadt strasse telefon titel uhrzeit vorname
adresse courriel date naissance nom pays prenom telephone ville code sexe message montant
apellido apellidos calle ciudad correo direccion fecha nacimiento nombre pais telefono mensaje
cidade data endereco nascimento nome pais sobrenome telefone mensagem
שם משפחה פרטי טלפון כתובת עיר תאריך לידה אימייל דואר מיקוד הערה הערות גיל מין
""")
"""What fields are called: in a person's sentence they part one value from the next."""

COMMANDS = _set("""
born aged back cancel dashboard details help home login logout menu more next ok overview previous
profile settings
add all also any book buy change check choose click close create delete each edit enter every fill
find go i
me my need new now open order page please press put record register remove save search see select
send set show
sign submit then there they type update use want we write you your can could would should will do
does has have not
anlegen bitte eingeben fulle erstelle gehe hinzufugen ich klicke mein neue neuen neuer offne
speichern suche trage wahle
ajoute ajouter cherche clique creer mon nouveau nouvelle ouvre remplis saisis selectionne veuillez
je
abre agrega anade busca crea elige escribe favor haz mi nueva nuevo pon quiero selecciona yo
abra adicione busque clique crie escolha eu meu nova novo preencha quero selecione
הוסף צור פתח לחץ חפש בחר הקלד מלא שלח שמור חדש חדשה בבקשה אני
""")

COMMON = GLUE | INTRODUCING | LABELS | COMMANDS

EXAMPLE = _set("eg example beispiel zb exemple ej ejemplo exemplo דוגמה לדוגמה")
"""What follows one of these on a page shows a format, and is nobody's value."""

MONTHS: tuple[frozenset[str], ...] = tuple(
    _set(line)
    for line in (
        "january jan januar janvier janv enero ene janeiro gennaio ינואר января январь",
        "february feb februar fevrier fevr febrero fevereiro fev febbraio פברואר февраля февраль",
        "march mar marz mrz mars marzo marco מרץ марта март",
        "april apr avril avr abril abr aprile אפריל апреля апрель",
        "may mai mayo maio maggio מאי мая май",
        "june jun juni juin junio junho giugno יוני июня июнь",
        "july jul juli juillet juil julio julho luglio יולי июля июль",
        "august aug aout agosto אוגוסט августа август",
        "september sep sept septembre septiembre setembro settembre ספטמבר сентября сентябрь",
        "october oct oktober okt octobre octubre outubro ottobre אוקטובר октября октябрь",
        "november nov novembre noviembre novembro נובמבר ноября ноябрь",
        "december dec dezember dez decembre diciembre dic dezembro dicembre דצמבר декабря декабрь",
    )
)

WEEKDAYS: tuple[frozenset[str], ...] = tuple(
    _set(line)
    for line in (
        "monday mon montag lundi lunes segunda lunedi",
        "tuesday tue tues dienstag mardi martes terca martedi",
        "wednesday wed mittwoch mercredi miercoles quarta mercoledi",
        "thursday thu thurs donnerstag jeudi jueves quinta giovedi",
        "friday fri freitag vendredi viernes sexta venerdi",
        "saturday sat samstag samedi sabado sabato",
        "sunday sun sonntag dimanche domingo domenica",
    )
)

RELATIVE_DAYS = _numbered(
    {
        0: "today heute aujourdhui hoy hoje oggi tonight היום сегодня",
        1: "tomorrow morgen demain manana amanha domani מחר завтра",
        -1: "yesterday gestern hier ayer ontem ieri אתמול вчера",
        2: "ubermorgen apresdemain pasadomanana מחרתיים послезавтра",
    }
)

UNITS = _numbered(
    {
        0: "zero null cero אפס",
        1: "one eins ein eine une uno um uma אחד אחת один",
        2: "two zwei deux dos dois duas שניים שתיים שני שתי два две",
        3: "three drei trois tres שלוש שלושה три",
        4: "four vier quatre cuatro quatro ארבע ארבעה четыре",
        5: "five funf cinq cinco חמש חמישה пять",
        6: "six sechs seis שש שישה шесть",
        7: "seven sieben sept siete sete שבע שבעה семь",
        8: "eight acht huit ocho oito שמונה восемь",
        9: "nine neun neuf nueve nove תשע תשעה девять",
        10: "ten zehn dix diez dez עשר עשרה десять",
        11: "eleven elf onze once",
        12: "twelve zwolf douze doce doze dozen dutzend douzaine docena duzia",
        13: "thirteen dreizehn treize trece treze",
        14: "fourteen vierzehn quatorze catorce",
        15: "fifteen funfzehn quinze quince",
        16: "sixteen",
        17: "seventeen",
        18: "eighteen",
        19: "nineteen",
        20: "twenty zwanzig vingt veinte vinte",
        30: "thirty dreissig trente treinta trinta",
        40: "forty vierzig quarante cuarenta quarenta",
        50: "fifty funfzig cinquante cincuenta cinquenta",
        60: "sixty sechzig soixante sesenta sessenta",
        70: "seventy siebzig setenta",
        80: "eighty achtzig ochenta oitenta",
        90: "ninety neunzig noventa",
    }
)
SCALES = _numbered(
    {
        100: "hundred hundert cent cien cem",
        1_000: "thousand tausend mille mil",
        1_000_000: "million millionen millions millon millones milhao",
    }
)

YES = _set("yes y true on ja oui si sim כן да")
NO = _set("no n false off nein non nao לא нет none")
TRUTHS = (YES, NO)

DATE_PARTS = _set("""
day month year date expiry expires expiration expire valid birth mm yy yyyy dd hour hours minute
minutes time
tag monat jahr stunde jour mois annee heure dia mes ano hora יום חודש שנה
""")
"""Fields that take a piece of a date or a time."""

AT = _set("at um gegen a las as vers בשעה")
"""Before a bare number, these make it an hour."""
