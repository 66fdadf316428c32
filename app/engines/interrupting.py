"""The dynamic interrupt: what is missing half-way is searched for, or asked for."""

from typing import Literal

from app.engines.reasoner import Situation
from app.engines.risk.lexicon import pattern, words
from app.text import patterns

Missing = Literal["EXTERNAL_KNOWLEDGE", "PRIVATE_DATA"]

MOST = 10  # things one text may name as missing
LONGEST = 80  # characters of a name; a longer one is an explanation
_MARK = patterns.compile(r"MISSING[_ ]INFO\s*[:=]\s*", patterns.IGNORECASE)
_END = patterns.compile(r"[\n\r;\]]|[.](?:\s|$)")
_LIST = patterns.compile(r"\s*,\s*|\s+and\s+", patterns.IGNORECASE)
_TRIMMED = " \t[](){}<>\"'`*."
_ALIKE = 0.6  # of a need's words: from here on a search was for the same thing
_SMALL = frozenset(
    {"a", "an", "and", "at", "by", "de", "der", "die", "for", "in", "la", "of", "on", "the", "to"}
)

# Stems as in `app.engines.risk.words`: English, German, French, Spanish, Portuguese, Hebrew.
# Facts of the world: they are the same whoever asks.
_PUBLIC = pattern(
    """
    exchange+rate conversion+rate interest+rate tax+rate vat+rate population$ capital+of
    capital+city opening+hour
    opening+time business+hour office+hour store+hour closing+time time+zone timezone weather$
    forecast$
    dialing+code dialling+code country+code calling+code airport+code iata$ icao$ isbn$ ticker$
    stock+price
    share+price market+price headquarter official+website official+name public+holiday release+date
    publication+date founded$ founding+year elevation$ distance+between distance+from
    customer+service
    support+number swift+code bic$ routing+number+of hotline$ author+of president+of
    director+of+the mayor+of
    ceo+of definition+of meaning+of formula+of latitude longitude coordinates+of
    wechselkurs umrechnungskurs einwohner hauptstadt offnungszeit zeitzone wetter$ landervorwahl
    vorwahl+von
    feiertag erscheinungs hauptsitz
    taux+de+change capitale heures+d+ouverture horaires+d+ouverture fuseau+horaire meteo$
    indicatif jour+ferie
    siege+social
    tipo+de+cambio capital+de horario poblacion zona+horaria clima$ prefijo+de festivo sede+central
    taxa+de+cambio cotacao horario+de+funcionamento populacao fuso feriado
    שער+חליפין שעות+פתיחה בירת אוכלוסיי אזור+זמן קידומת מזג+אוויר
    """
)
# Facts that are of the world where they belong to an organisation or a place, a person's otherwise.
_OF_SOMEONE = pattern(
    """
    address$ street phone telephone fax$ email$ e_mail hour name+of date+of start+date
    vat+number vat+id
    registration+number
    adresse anschrift strasse telefon datum+d
    telephone courriel direccion telefono correo endereco telefone כתובת טלפון
    """
)
# Facts of a place or a thing that has a name; people have none of these.
_OF_NAMED = pattern(
    """
    postal+code postcode zip website url$ location+of price$ fee$ cost$
    plz$ postleitzahl preis$ code+postal prix$ codigo+postal precio$ cep$ preco$ מיקוד מחיר
    """
)
_ORGANISATION = pattern(
    """
    company$ corporation inc$ ltd$ llc$ plc$ gmbh$ ag$ sarl$ bv$ firm$ business$ organisation
    organization
    hotel restaurant cafe$ airport station$ museum embassy consulate university school$ college
    hospital clinic$
    bank$ store$ shop$ supermarket agency ministry council$ office$ department+of court$
    city+hall town+hall
    library theater theatre stadium church conference concert festival exhibition election
    olympics event$
    manufacturer supplier airline insurer
    firma$ unternehmen flughafen bahnhof botschaft universitat schule$ krankenhaus behorde
    ministerium rathaus
    messe$
    entreprise societe aeroport gare$ musee ambassade universite hopital banque magasin mairie
    empresa compania aeropuerto estacion museo embajada universidad banco$ tienda ayuntamiento
    aeroporto estacao universidade loja prefeitura
    חברה חברת מלון מסעד שדה+תעופה מוזיאון שגריר אוניברסיט בנק$ עירייה
    """
)
_PRIVATE = pattern(
    """
    my$ your$ our$ user$ person$ person_s patient client$ customer$ employee member$ guest$
    passenger$ owner$
    recipient account password passcode passphrase pin$ username user+name login$ credential
    secret token$ otp$
    verification+code security+code card$ cvv$ cvc$ iban$ ssn$ social+security passport driver
    license+number
    birth$ birthday dob$ born$ age$ first+name last+name middle+name full+name surname
    family+name given+name
    maiden gender$ sex$ nationality marital salary income budget$ preference prefer favorite
    favourite choice$
    which$ reason$ symptom allerg diagnos signature insurance+number policy+number order+number
    mein meine$ ihr$ ihre$ kunde patient kennwort passwort geburt vorname nachname konto$
    kreditkarte gehalt
    mon$ ma$ votre client$ mot+de+passe prenom naissance compte$
    mi$ su$ cliente paciente contrasena nombre$ apellido nacimiento cuenta$
    meu$ minha$ seu$ sua$ senha nome$ sobrenome nascimento conta$
    שלי שלך סיסמ לקוח מטופל תאריך+לידה שם+פרטי שם+משפחה חשבון
    """
)
# A name that is spelled out: "phone number of Siemens", "postal code for Haifa".
_NAMED = patterns.compile(
    r"\b(?:of|for|in|at|near|von|in|für|de|du|del|da|do|של|ב)\s+(?:the\s+)?([^\W\d_a-zß-ÿ]\w+|[\u0590-\u05ff]{3,})"
)


def classify(what: str, situation: Situation) -> Missing:
    """Whether the missing thing is to be found out on the web, or only a person knows it.

    In doubt a person is asked: a search tells the world what is looked for. What was searched for
    once already is asked for too.
    """
    said = words(what).replace("customer service", "hotline")
    if _was_searched(said, situation):
        return "PRIVATE_DATA"
    if _PRIVATE.search(said):
        return "PRIVATE_DATA"
    if _PUBLIC.search(said):
        return "EXTERNAL_KNOWLEDGE"
    of_named = _OF_NAMED.search(said) is not None
    if _ORGANISATION.search(said) and (of_named or _OF_SOMEONE.search(said)):
        return "EXTERNAL_KNOWLEDGE"
    return "EXTERNAL_KNOWLEDGE" if of_named and _NAMED.search(what) else "PRIVATE_DATA"


def missing_info(text: str) -> tuple[str, ...]:
    """What a model's text names as missing: `MISSING_INFO: middle name` gives ("middle name",)."""
    found: dict[str, None] = {}
    for part in _MARK.split(text)[1:]:
        named = _END.split(part, maxsplit=1)[0]
        for name in _LIST.split(named):
            kept = " ".join(name.strip(_TRIMMED).split())[:LONGEST]
            if kept:
                found[kept] = None
    return tuple(found)[:MOST]


def _was_searched(said: str, situation: Situation) -> bool:
    wanted = frozenset(said.split()) - _SMALL
    return bool(wanted) and any(
        len(wanted & frozenset(words(f"{done.need} {done.query}").split())) >= _ALIKE * len(wanted)
        for done in situation.background.searches
    )
