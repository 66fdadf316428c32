"""Words by which documents are spoken of, in English and the basics of German, French, Spanish and Hebrew.
All are folded: lower case, without accents.
"""


def lexicon(text: str) -> frozenset[str]:
    """Those of a text."""
    return frozenset(text.split())


# What says only that it is a document, and nothing of which.
GENERIC = lexicon(
    """
    document doc file pdf paper attachment upload dokument datei unterlage fichier documento archivo
    fichero מסמך קובץ
    """
)
# Names of kinds of documents: the last word of "the travel policy".
KINDS = lexicon(
    """
    policy handbook guide guideline manual report contract agreement regulation standard
    specification spec act law code charter plan strategy roadmap proposal memo memorandum minutes
    procedure sop playbook runbook faq readme brochure whitepaper checklist form template invoice
    statement summary review audit rule directive presentation deck slides spreadsheet sheet newsletter letter
    notice terms rules rulebook syllabus curriculum thesis study article book catalog catalogue
    datasheet tutorial documentation docs wiki note changelog nda sla msa dpa sow rfc rfp
    handbuch richtlinie leitlinie leitfaden vertrag bericht anleitung vereinbarung ordnung
    verordnung gesetz satzung protokoll regelung konzept merkblatt vorlage angebot rechnung studie
    politique manuel contrat rapport reglement charte accord convention facture etude politica guia
    contrato informe reglamento acuerdo convenio procedimiento estatuto factura estudio נוהל מדיניות
    מדריך חוזה הסכם דוח תקנון תוכנית
    """
)
# Kinds that one may say for another: "the expense rules" for an "Expense policy".
ALIKE_KINDS = (
    lexicon(
        "policy guideline rule regulation standard code procedure directive richtlinie politique politica"
    ),
    lexicon("handbook manual guide guideline playbook handbuch leitfaden"),
    lexicon("contract agreement vertrag vereinbarung contrat accord contrato acuerdo"),
    lexicon("report review study bericht studie rapport informe"),
    lexicon("plan strategy roadmap proposal"),
    lexicon("richtlinie leitlinie regelung ordnung verordnung"),
)
# Parts of a document, which are no names of one.
PARTS = lexicon(
    """
    section chapter part page paragraph appendix annex clause article introduction conclusion table
    figure heading point points takeaway takeaways highlight highlights fact facts content contents
    detail details difference differences similarity similarities gap gaps change changes version
    versions abschnitt kapitel teil seite absatz anhang punkt punkte unterschied unterschiede inhalt
    chapitre partie annexe capitulo seccion pagina anexo puntos diferencias סעיף פרק עמוד נקודות
    הבדלים
    """
)
# Texts that are brought along, and are no documents of the team.
PASTED = lexicon(
    """
    email mail message text draft letter paragraph sentence post tweet reply answer response
    statement wording copy below following entwurf nachricht courriel texte brouillon correo texto
    mensaje borrador טקסט מייל הודעה
    """
)
DEFINITE = lexicon(
    """
    the this that these those our my your their its his her der die das den dem des diese dieser
    dieses diesen diesem unser unsere unserer unserem mein meine le la les ce cette ces cet notre
    nos mon ma mes el los las este esta estos estas ese esa nuestro nuestra mi
    """
)
# After these a kind of document is none that is meant: "do we have a policy on pets".
INDEFINITE = lexicon(
    """
    a an one any some no every each ein eine einen einer kein keine un une una uno aucun
    """
)
# What is said of a document and stands in few titles.
WEAK = lexicon(
    """
    current new old latest newest recent official full whole entire complete updated attached
    uploaded company internal existing actual same corporate team relevant aktuelle aktuellen neue
    neuen neueste alte ganze actuel actuelle nouveau nouvelle nuevo nueva other two three both all
    various different following
    """
)
LATEST = lexicon(
    """
    latest newest current recent neueste neuesten aktuelle aktuellen dernier derniere ultimo ultima
    """
)
PREPOSITIONS = lexicon(
    """
    in of from per under by within against on about to with for into at via inside throughout
    regarding concerning vs versus between than over after before like unter im aus von vom laut
    nach gegen mit zu zum zur uber fur bei beim zwischen ohne dans de du des d selon sur avec contre
    pour par entre en segun sobre con contra del al por para through across among around without
    during
    """
)
# Before or after these a thing that says something is a document.
SAY = lexicon(
    """
    say says said mention mentions state states stated cover covers contain contains include
    includes define defines describe describes explain explains specify specifies require requires
    tell tells talk talks discuss discusses recommend recommends suggest suggests provide provides
    list lists forbid forbids prohibit prohibits permit permits allow allows stipulate stipulates
    address addresses apply applies read reads sagt sagen steht stehen enthalt regelt
    erlaubt verbietet dit disent mentionne contient prevoit dice dicen menciona contiene exige
    permite אומר אומרת כתוב קובע
    """
)
QUESTIONS = lexicon(
    """
    what which who whom whose when where why how was wer wie wo wann warum wieso welche welcher
    welches wieviel que quoi quel quelle quels quelles qui quand comment pourquoi ou combien cual
    cuales quien cuando donde como cuanto מה מי איך איפה מתי למה כמה האם איזה
    """
)
# What is done with documents.
ACTIONS = lexicon(
    """
    summarize summarise summary summarizing summarising sum up recap tldr condense shorten digest
    overview outline compare comparing comparison contrast diff audit auditing check checking review
    reviewing verify validate assess evaluate examine inspect conform conforms comply complies
    compliance compliant ask inquire answer explain describe tell search analyze analyse differ
    differs align aligned line consistent breach violate violates zusammenfassen zusammenfassung
    fasse zusammen vergleiche vergleichen vergleich prufe prufen uberprufe uberprufen resume resumer
    resumez resumes comparer comparez verifie verifier verifiez auditer controle controler resumir
    resumen compara comparar revisa revisar verifica verificar comprueba comprobar audita auditar
    סכם סכמי לסכם תסכם השווה השוו השווי להשוות בדוק בדקי לבדוק
    """
)
# In a text in quotes these make it a sentence; they stand in few titles.
VERBS = lexicon(
    """
    is are was were be been has have had does do did can could may might must shall should will would pay pays
    get gets keep keeps ist sind war hat haben kann konnen darf durfen muss mussen soll sollen wird
    werden est sont ont peut doit esta estan hay puede debe
    """
)
# Between two things that are compared or done together.
JOINTS = lexicon(
    """
    and with to vs versus against or und mit gegen oder et avec ou contre y e con o contra ועם
    """
)
# Before what a text is checked against.
TARGETS = lexicon(
    """
    against with to under per by gegen mit nach laut contre avec selon contra con segun מול לפי
    """
)
_OTHERS = lexicon(
    """
    is are be been being am do does did done can could may might must shall should will would has
    have had need needs let lets give show tell find get make want wants like help know see look
    write list put go gives makes please pls hi hello hey thanks thank ok okay now also just only
    again then so too not yes no maybe still here there quickly quick briefly brief short shortly
    detail detailed concise concisely i me we us you he she it they them him one ones something
    anything everything someone anyone if whether because while although or and but nor as than ist
    sind sei war hat haben kann konnen darf durfen muss mussen soll sollen wird werden gibt es sie
    wir ich du er ihr uns mir bitte und oder aber auch noch mal nur doch dann jetzt kurz nicht dass
    ob wenn est sont a ai ont peut peux pouvez doit faut il elle ils elles nous vous je tu on et ou
    mais aussi ne pas plus moins s l son esta estan hay puede puedes debe y o pero tambien se te nos
    lo את של על עם אל גם לא כן או אם זה זו זאת אני אנחנו אתם נא בבקשה
    """
)
# What is part of no name, unless a title itself has it.
STOP = _OTHERS | DEFINITE | INDEFINITE | PREPOSITIONS | QUESTIONS | SAY | ACTIONS
