"""The plain cases in German, French, Spanish and Hebrew."""

from app.chat.intent.request import DOC
from app.chat.intent.said import rule
from app.domain.chat import ChatAction

_AUDIT = rule(
    r"""
    \b(?:
        auditier\w*
        | pr[uü]f(?:e|en|st|t)?\b.{0,160}\b(?:
            gegen | ob\s+(?!ich\b|wir\b|man\b|es\b)
            | auf\s+(?:verst[oö][sß]+e|konformit[aä]t|einhaltung) | anhand | nach
          )\b
        | pr[uü]f(?:e|en|st|t)?\b.{0,60}\b
          (?:diese[nrs]?|meine?n?|unsere?n?|den\s+folgenden|folgende[nrs]?)\b
        | [uü]berpr[uü]f\w*.{0,160}\b(?:gegen|ob|auf|anhand|diese[nrs]?|meine?n?)\b
        | (?:entspricht|entsprechen|verst[oö][sß]+t|versto[sß]+en|widerspricht)\b.{0,30}\b
          (?:diese[rs]?|meine?|unsere?|der|das|die)\s.{0,120}
        | kontrollier\w*.{0,120}\b(?:gegen|ob|diese[nrs]?|meine?n?)\b
      )
    | \b(?:
        auditez?\b
        | v[eé]rifi(?:e|ez|er)\b.{0,160}\b
          (?:conform\w*|respecte|par\s+rapport|contre|selon|regard|viole)\b
        | contr[oô]l(?:e|ez|er)\b.{0,120}\b(?:conform\w*|respecte|par\s+rapport|selon)\b
        | (?:ce(?:t|tte)?|mon|ma|notre)\s+\w+(?:\s+\w+)?\s+
          (?:est[-\s](?:il|elle)\s+conforme|respecte|viole|est\s+conforme)
        | est-ce\s+que\s+(?:ce(?:t|tte)?|mon|ma|notre)\s.{0,60}\b(?:conforme|respecte|viole)
      )
    | \b(?:
        aud[ií]ta(?:r|me)?\b
        | (?:revisa|verifica|comprueba|revise|verifique|compruebe)r?\b.{0,160}\b
          (?:cumpl\w+|conform\w+|contra|seg[uú]n|respeta|viola|infring\w+|incumpl\w+)\b
        | ¿?\b(?:cumple|respeta|viola|infringe|incumple)\s+(?:este|esta|mi|nuestr[oa])\s
        | (?:este|esta|mi|nuestr[oa])\s+\w+(?:\s+\w+)?\s+(?:cumple|respeta|viola|infringe)
      )
    | (?<!\w)ת?(?:בדו?ק(?:י|ו)?|לבדוק|ביקורת|בצעי?\s+ביקורת|בקרי?)(?!\w).{0,160}
      (?:מול|לפי|עומד|תואם|תואמת|בהתאם|מפר|הבא|הזה|הזאת)
    | האם.{0,80}(?:עומד(?:ת)?\s+ב|תואמ?(?:ת)?\s|מפר(?:ה)?\s|בהתאם\s+ל)
    """
)
_COMPARE = rule(
    r"""
    \b(?:
        vergleich(?:e|en|st|t)?\b | gegen[uü]berstell\w* | stelle?\b.{0,80}\bgegen[uü]ber
        | unterschied(?:e|en)?\b(?=.{0,20}\b(?:zwischen|der|beiden|von)\b)
        | unterscheide(?:n|t)\b | worin\b.{0,80}\bunterscheid\w+ | gemeinsamkeiten
      )
    | \b(?:
        compare[zr]?\b(?=\s+(?:les?|la|l['’]|ces?|cette|[◆◇]|ce)\b|\s*[◆◇]|\s+l) | comparaison\b
        | diff[eé]rences?\s+(?:entre|y) | diff[eè]rent(?:-ils|-elles)?\b
        | qu['’]est-ce\s+qui\s+(?:diff[eé]rencie|change\s+entre|distingue)
        | c[oô]te\s+[aà]\s+c[oô]te
      )
    | \b(?:
        comp[aá]ra(?:r|me|los|las)?\b | compare\b(?=\s+(?:el|la|los|las|este|estos)\b)
        | comparaci[oó]n\b | diferencias?\s+(?:entre|hay) | en\s+qu[eé]\s+se\s+diferencian?
        | difieren
      )
    | (?<!\w)[לת]?(?:השוו(?:ה|)|שוו(?:ה|י|ו)|השוו(?:ה|י|ו|את|אה)?|השוואה|השווה)(?!\w)
    | (?<!\w)ה?(?:הבדלים|הבדל|ההבדל|ההבדלים)(?!\w).{0,20}\sבין | במה\s+(?:שונ|נבדל)
    """
)
_SIDES = rule(
    r"""
    [◆◇].*[◆◇]
    | \b(?:
        beide[nrs]? | zwei | dr(?:ei|itte[nrs]?) | andere[nrs]? | vorige[nrs]? | vorherige[nrs]?
        | letzte[nrs]? | alte[nrs]? | fr[uü]here[nrs]? | fassung(?:en)? | versionen | ausgaben
        | angebote | vertr[aä]ge | deux | trois | autre | ancien(?:ne)?s? | pr[eé]c[eé]dente?s?
        | versions | offres | contrats | dos | tres | ambos | ambas | otr[oa] | anterior(?:es)?
        | antigu[oa]s? | versiones | ofertas | contratos
      )\b
    | (?<!\w)[הבלמו]{0,2}(?:שני|שתי|שניהם|ישנ?ה?|ישן|קודמת?|אחרת?|גרסאות|הצעות|חוזים)(?!\w)
    """
)
_UNLIKE = rule(r"\bunterschied | \bdiff[eé]rence | \bdiferencia | הבדל")
_PAPER = rule(
    r"""
    [◆◇] | vertr[aä]g | richtlinie | bericht | handb[uü]ch | dokument | datei | ordnung
    | satzung | plan | angebot | tarif | police | contrat | rapport | manuel | document
    | politique | r[eè]glement | offre | \bbaux\b | \bbail\b | contrato | informe | documento
    | pol[ií]tica | p[oó]liza | norma | oferta | חוזה | חוזים | מסמכ | דוח | נוהל | מדיניות
    | הצע
    """
)
_MORE = rule(
    r"""
    \b(?:\w{3,}er\s+als|(?:mehr|weniger|besser)\b.{0,60}\bals)\s+
      (?:der|die|das|den|dem|diese\w*|unsere?\w*|beim?|im|[◆◇])
    | \b(?:plus|moins|mieux|aussi)\b.{0,40}\bqu
      (?:e\s+(?:celle?s?|le|la|les|l['’]|dans|[◆◇])|['’]\w)
    | \b(?:m[aá]s|menos|mejor|peor|tan)\b.{0,40}\bque\s+(?:el|la|los|las|en|[◆◇])
    | (?<!\w)(?:יותר|פחות|מחמיר\w*|זול\w*|יקר\w*)(?!\w).{0,30}\sמ\w
    """
)
_WHICH = rule(
    r"""
    \bwelche[rsnm]?\s+(?:der|dieser|von|unserer)\s.{0,80}\b(?:\w{3,}er|\w{2,}sten|mehr|weniger)
      \b
    | \b(?:laquelle|lequel|lesquel(?:le)?s)\s+d.{0,80}\b(?:plus|moins|meilleure?s?|mieux)\b
    | \bcu[aá]l(?:es)?\s+de\s.{0,80}\b(?:m[aá]s|menos|mejor|peor|mayor|menor)\b
    | (?<!\w)(?:איזה|איזו|אילו|מי)\s+מ\S.{0,60}(?:יותר|פחות|ביותר|הכי)(?!\w)
    """
)
_CHANGED = rule(
    r"""
    \b(?:ge[aä]nder\w*|neu|anders)\b.{0,80}\b(?:zwischen|seit|gegen[uü]ber|im\s+vergleich)\b
    | \b(?:zwischen|seit|gegen[uü]ber)\b.{1,120}\b(?:ge[aä]ndert|ver[aä]ndert|anders|neu)\b
    | \bchang\w*\b.{0,60}\b(?:entre|depuis|par\s+rapport)\b
    | \bnouveau\b.{0,40}\bpar\s+rapport\b | \bcambi\w*\b.{0,60}\b(?:entre|desde|respecto)\b
    | \bnuevo\b.{0,40}\b(?:respecto|frente)\b
    | (?:השתנה|שונה|חדש)(?!\w).{0,60}(?:בין|לעומת|ביחס)
    """
)
_SUMMARIZE = rule(
    r"""
    \b(?:
        (?:fass(?:e|en|t)?)\b(?=.{0,240}\bzusammen\b)
        | zusammen(?:fassen|zufassen|fassung|gefasst) | [uü]berblick\s+(?:[uü]ber|zu)
        | (?:kern|haupt)
          (?:punkte?|aussagen?|botschaft(?:en)?|thesen?|gedanken?|ergebnisse?|erkenntnisse?)
        | (?:die\s+)?wichtigsten\s+(?:
            punkte | aussagen | erkenntnisse | inhalte | ergebnisse | botschaften | thesen
            | schlussfolgerungen
          )
        | kurzfassung | worum\s+geht\s+es\b | wovon\s+handelt | l[aä]uft\b.{1,60}\bhinaus
        | (?:auf|in)\s+(?:eine[rn]?|zwei|drei|f[uü]nf|\d+|wenigen?)\s+(?:halben?\s+)?
          (?:seiten?|s[aä]tzen?|punkten?|stichpunkten?|zeilen?|absatz)
        | in\s+k[uü]rze
      )
    | \b(?:
        r[eé]sum(?:e[rz]?|[eé])\b(?!\s+de\s+carri) | synth[eè]se\b | synth[eé]tise[rz]?\b
        | (?:points|messages|id[eé]es|conclusions|enseignements|arguments)\s+
          (?:cl[eé]s?|essentiel(?:le)?s|principa(?:ux|les)|importante?s)
        | (?:principa(?:ux|les)|grandes?)\s+
          (?:points|messages|id[eé]es|conclusions|enseignements|lignes|arguments)
        | (?:l['’])?essentiel\s+d | vue\s+d['’]ensemble | aper[cç]u\s+d
        | de\s+quoi\s+(?:parle|traite|s['’]agit)
      )
    | \b(?:
        res[uú]m(?:e|en|ir|eme|a|elo|as)\b | resumen\b | s[ií]ntesis\b | sintetiza\w*\b
        | (?:puntos|ideas|conclusiones|mensajes|argumentos|resultados)\s+
          (?:clave|principales|centrales|m[aá]s\s+importantes)
        | principales\s+(?:puntos|ideas|conclusiones|mensajes|argumentos)
        | en\s+resumidas\s+cuentas | (?:lo|las)\s+(?:esencial|m[aá]s\s+importante)\s+del?
        | de\s+qu[eé]\s+(?:trata|habla|va)\b | visi[oó]n\s+general | panorama\s+general
      )
    | (?<!\w)(?:
        [לת]?סכמ(?:י|ו)? | [לת]?סכם | תמצת(?:י)? | ה?תקציר | תמצית | סיכום
        | ה?נקודות\s+ה?(?:עיקריות|מרכזיות) | על\s+מה\s+(?:המסמך|מדבר|הדוח) | סקירה
        | ה?עיקר(?:ים)? | ה?(?:מסקנות|מסרים|רעיונות)\s+ה(?:עיקריות|עיקריים|מרכזיות|מרכזיים)
      )(?!\w)
    | עיקרי\s+ה
    """
)
_TOPIC = rule(
    r"""
    \b(?:
        zum\s+thema | bez[uü]glich | hinsichtlich | in\s+bezug\s+auf
        | [uü]ber\s+(?:die|den|das|dem|der)?\s*\w{3,}
        | was\b.{1,80}\b(?:zu[rm]?|[uü]ber)\s.{1,60}\b(?:sagt|steht|regelt|vorsieht|vorschreibt)
        | was\b.{0,100}\b(?:sagt|steht)\b.{0,60}\b(?:zu|[uü]ber|zum|zur)
        | (?:anforderungen|regeln|vorschriften|bestimmungen|kosten|geb[uü]hren|fristen)\b
          (?=.{0,80}\b(?:in|im|aus|f[uü]r|von|zu|zum|zur)\b)
      )
    | \b(?:
        concernant | au\s+sujet\s+d | [aà]\s+propos\s+d | en\s+ce\s+qui\s+concerne
        | relati(?:f|ves?|fs)\s+[aà] | sur\s+(?:les?|la|l['’])\s*\w+
        | (?:exigences|r[eè]gles|dispositions|conditions|frais|d[eé]lais)\b
          (?=.{0,80}\b(?:dans|de|du|pour)\b)
      )
    | \b(?:
        acerca\s+de | sobre\s+\w+ | respecto\s+a | en\s+cuanto\s+a | relacionad[oa]s?\s+con
        | (?:requisitos|reglas|normas|condiciones|costes|plazos|tarifas)\b
          (?=.{0,80}\b(?:en|del?|para)\b)
      )
    | (?:לגבי|בנוגע\s+ל|בנושא|בעניין|אודות)
    | (?<!\w)ה?(?:דרישות|כללים|תנאים|עלויות|דמי)(?=\s.{0,60}\s?ב)
    """
)
_WHOLE = rule(
    rf"""
    \b[uü]ber\s+(?:das|den|die|dieses|diesen|diese)\s+(?:ganze\s+|gesamte\s+)?
      (?:dokument|bericht|vertrag|handbuch|richtlinie|datei|text|{DOC})
    | [uü]ber\s+{DOC}
    | \bsur\s+(?:ce|le|la|l['’])\s*(?:document|rapport|contrat|manuel|guide|{DOC})
    | \bsobre\s+(?:el|este|la)\s+(?:documento|informe|contrato|manual|gu[ií]a|{DOC})
    """
)
_QUESTION = rule(
    r"""
    [¿\s]*(?:
        was | wer | wie | wo | wann | warum | weshalb | welche[rsmn]? | wem | wen | wessen
        | wieviel | gibt\s+es | ist | sind | darf | d[uü]rfen | muss | m[uü]ssen
        | kann\s+(?:ich|man|ein) | k[oö]nnen\s+(?:wir|mitarbeit) | habe?n?\s+(?:ich|wir) | steht
        | gilt | gelten | erkl[aä]re?n? | finde | suche? | zeig(?:e|en)? | nenne?n?
        | sag(?:e|en)?(?:\s+(?:mir|uns))? | liste?\b | que(?:l(?:le)?s?)? | qu['’] | qui
        | comment | combien | pourquoi | quand | o[uù] | est-ce | y\s+a-t-il | peut-on | puis-je
        | dois-je | doit-on | explique[rz]? | trouve[rz]? | cherche[rz]? | dis-moi | dites-moi
        | donne[rz]?-moi | montre[rz]? | liste[rz]? | indique[rz]? | qu[eé] | qui[eé]n(?:es)?
        | c[oó]mo | cu[aá]l(?:es)? | cu[aá]nt[oa]s? | cu[aá]ndo | d[oó]nde | por\s+qu[eé] | hay
        | puedo | debo | se\s+puede | es | son | explica\w* | encuentra | busca | dime
        | d[ií]game | mu[eé]stra\w* | lista | en\s+qu[eé] | מה(?:ם|ו|י)? | מי | איך | כיצד | כמה
        | מתי | למה | מדוע | איפה | היכן | איזה | אילו | איזו | האם | יש | הסבר | הסבירי | תסביר
        | מצא | חפש | אמור | תגיד | הצג | רשום | פרט
      )(?!\w)
    """
)
_THEIRS = rule(
    r"""
    [äöüßéèêàçñáíóúîôûï¿\u0590-\u05ff]
    | \b(?:
        der | die | das | und | ist | ich | mir | wie | was | wer | wo | wann | gibt | dem | den
        | ein | eine | zu | zum | im | bitte | diese[nrsm]? | mit | von | beiden | zwei | fasse
        | pr[uü]fe | vergleiche | le | les | des | du | ce | la | laquelle | lequel
        | qu['’]est-ce | cette | ces | est | dans | pour | avec | une | quel(?:le)?s? | qui
        | comment | combien | moi | selon | el | los | las | del | este | esta | estos | por
        | para | con | qu[eé] | cu[aá]l | es | una | dime | resume | compara | worum | wovon
        | zusammenfassung | resumen
      )\b
    """
)


def action_of(clause: str, source: bool) -> tuple[ChatAction, bool] | None:
    """What a clause in one of these languages asks for, and whether that is sure. `source`: a text came with
    the message.
    """
    if not _THEIRS.search(clause):
        return None
    if found := _AUDIT.search(clause):
        return ("audit", source or bool(found)) if _THEIRS.search(clause) else None
    if _COMPARE.search(clause) or _compares(clause):
        plain = _UNLIKE.search(clause) and not (_SIDES.search(clause) or _PAPER.search(clause))
        return ("inquire", False) if plain else ("compare", True)
    if found := _SUMMARIZE.search(clause):
        return _summed(clause)
    if _QUESTION.match(clause):
        return "inquire", True
    return None


def _compares(clause: str) -> bool:
    """Whether it asks which of several is more of something, or what changed from one to another."""
    if _WHICH.search(clause):
        return True
    return bool((_MORE.search(clause) or _CHANGED.search(clause)) and _SIDES.search(clause))


def _summed(clause: str) -> tuple[ChatAction, bool]:
    if _TOPIC.search(clause) and not _WHOLE.search(clause):
        return "inquire", False
    return "summarize", True
