"""How a document, or a text that was handed over, is spoken of in English."""

from app.chat.intent.request import DOC, QUOTE, TEXT
from app.text import patterns

PLAIN = (
    r"(?:documents?|docs?|files?|pdfs?|reports?|papers?|handbooks?|manuals?|guides?|contracts?"
    r"|agreements?|guidelines?|articles?|"
    r"memos?|memorand(?:um|a)|letters?|brochures?|books?|booklets?|stud(?:y|ies)|whitepapers?"
    r"|presentations?|decks?|slides?|transcripts?|"
    r"attachments?|uploads?|prospectus(?:es)?|leases?|bylaws|charters?|rulebooks?|playbooks?"
    r"|runbooks?|readme|documentation|"
    r"newsletters?|circulars?|e-?mails?|minutes|specs?|specifications?|filings?|texts?|leaflets?"
    r"|dossiers?|directives?|"
    r"proposals?|drafts?|posts?|publications?|whole\sthing|thing|materials?|contents?"
    r"|catalog(?:ue)?s?|agendas?|"
    r"protocols?|forms?|checklists?|sops?|templates?|playbook|release\snotes?|manuscripts?"
    r"|runbooks?|one-pagers?|sheets?|registers?|whitepaper|reviews?|analys[ie]s"
    r"|terms\s(?:of\s(?:service|use)|and\sconditions)|t&cs|ndas?|slas?|faqs?|rfps?|tenders?"
    r"|syllabus|thesis|dissertation|surveys?|assessments?|briefs?)"
)
LOOSE = (
    r"(?:polic(?:y|ies)|plans?|codes?(?:\sof\sconduct)?|acts?|laws?|standards?|notices?"
    r"|statements?|regulations?|frameworks?|"
    r"notes?|versions?|editions?|rules|offers?|quotes?|bills?|treat(?:y|ies)|constitution"
    r"|statutes?|schedules?|amendments?|wikis?|pages?|"
    r"sets?|collections?|folders?|library|procedures?|instructions?|tutorials?|blogs?|records?"
    r"|chats?|conversations?|threads?|stor(?:y|ies)|template)"
)
NOUN = rf"(?:{PLAIN}|{LOOSE})"
LEADING = (
    r"(?:(?:the|this|that|these|those|a|an|our|my|your|their|his|her|its|all(?:\sof)?"
    r"|both(?:\sof)?|each(?:\sof)?|every|whole|entire|full|complete|attached|"
    r"uploaded|new(?:er)?|old(?:er)?|latest|current|first|second|third|last|other|two|three|four"
    r"|five|following|above|enclosed|long|short|big|main|same|"
    r"content(?:s)?\sof|text\sof)\s+)"
)
PRONOUN = (
    r"(?:this(?:\sone)?|that(?:\sone)?|it|these|those(?:\stwo|\sthree)?|these\s(?:two|three)"
    r"|them(?:\sall|\sboth)?|both(?:\sof\s(?:them|these|those))?|"
    r"all(?:\sof\s(?:it|them|these|those|this))?|everything|the\s\w+\sone\b|the\s(?:two|three"
    r"|above|following|attached|below|former|latter|first\sone|second\sone|third\sone|last\sone"
    r"|other\sone|others|new(?:er)?\sone|old(?:er)?\sone|latest\sone|one\s(?:for|from|of|that"
    r"|you|i)\b)|"
    r"each(?:\sof\s(?:them|these|those))?|attached|below|above|the\slot|what\si(?:'ve"
    r"|\shave)?\s(?:pasted|uploaded|attached|sent|shared)(?:\s\w+)?)"
)
NAMED = rf"[{DOC}{QUOTE}{TEXT}]"
REFERRED = rf"(?:{LEADING}*{NAMED}|{PRONOUN}|{LEADING}+(?:[\w&'’.-]+\s+){{0,4}}?{NOUN})"
"""A document as it is referred to: by its name, a pronoun or a noun."""

OWN = (
    r"(?:e-?mails?|mails?|texts?|drafts?|letters?|messages?|paragraphs?|clauses?|posts?|tweets?"
    r"|ads?|adverts?|advertisements?|"
    r"announcements?|statements?|repl(?:y|ies)|responses?|proposals?|memos?|copy|copies"
    r"|press\sreleases?|notices?|wording|sentences?|"
    r"snippets?|excerpts?|passages?|submissions?|applications?|claims?|listings?|newsletters?"
    r"|speech(?:es)?|scripts?|descriptions?|"
    r"disclaimers?|contracts?|agreements?|documents?|docs?|files?|reports?|procedures?|offers?"
    r"|invoices?|briefs?|slides?|articles?|essays?|"
    r"blog\s?posts?|job\s(?:ads?|postings?|descriptions?)|pages?|campaigns?|banners?|footers?"
    r"|templates?|forms?|requests?|expense\sreports?|"
    r"receipts?|write-?ups?|pitch(?:es)?|scenarios?|terms|polic(?:y|ies)|plans?|process(?:es)?"
    r"|summar(?:y|ies)|content|attachment|purchase\sorders?|"
    r"quotations?|plans?|records?|minutes|readmes?|snippets?|code|practices?|approach|setup"
    r"|arrangements?|answers?)"
)
SOURCE = (
    rf"(?:{TEXT}|{QUOTE}|\b(?:this|these|that|those|the\sfollowing|the\s(?:below|above|attached"
    rf"|enclosed|pasted)|my|our|their|his|her|your|attached)\s+"
    rf"(?:[\w&’'-]+\s+){{0,3}}?{OWN}\b|\bthe\s+(?:\w+\s+){{0,2}}?(?:draft|text|wording|paragraph"
    rf"|clause|email|e-mail|mail|message|copy|announcement|letter|post)s?\b"
    rf"(?!\s+(?:of|in)\b)|\bthe\sfollowing\b|\bwhat\si(?:'ve|’ve|\shave)?\s(?:wrote|written|drafted|pasted)\b"
    rf"|\b{OWN}\s+(?:below|above|attached|i\s(?:wrote|drafted|pasted|sent|got|received))\b)"
)
"""A text that is to be looked at: the person's own, or one that was given to them."""
OWN_TEXT = patterns.compile(SOURCE, patterns.IGNORECASE)
