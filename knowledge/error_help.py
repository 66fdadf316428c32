"""What a person can do about a document that was not read, by the code of its failure."""

from types import MappingProxyType

ADVICE = MappingProxyType(
    {
        "DOCUMENT_EMPTY": "Look whether it is the right file or page, and give one that holds text.",
        "DOCUMENT_DAMAGED": "Open it in its own program, save it anew, and add that.",
        "DOCUMENT_ENCRYPTED": "Save it without its password, and add that.",
        "DOCUMENT_UNSUPPORTED": "Save it as PDF, Word, HTML or text, and add that.",
        "DOCUMENT_TOO_LARGE": "Split it into smaller documents, and add those.",
        "DOCUMENT_TOO_SLOW": "Split it into smaller documents, and add those.",
        "DOCUMENT_PICTURES_ONLY": "Run text recognition (OCR) on it, and add what that gives.",
        "DOCUMENT_NOT_AVAILABLE": "Set a Gemini key on the server, or add a transcript as text.",
        "TOO_LARGE": "Split it into smaller documents, and add those.",
        "PAGE_NEEDS_BROWSER": 'Open the page in the browser, and press "Learn this page".',
        "PAGE_NOT_OPEN": 'Sign in to it in the browser, and press "Learn this page" there.',
        "PAGE_GONE": "Look for its new address on the site, and add that.",
        "PAGE_NOT_ANSWERED": "Open the address in the browser; if it works there, try again.",
        "PAGE_NOT_INDEXED": 'If you may use it, open it in the browser and press "Learn this page".',
        "PAGE_OFF_SITE": "Add the other site as a link of its own, if it is wanted.",
        "ROBOTS_DISALLOWED": 'If you may use it, open it in the browser and press "Learn this page".',
        "SITE_BUSY": "Try again later.",
        "SITEMAP_NOT_FOUND": "Give the address of the site map itself, or follow the links instead.",
        "SITEMAP_EMPTY": "Follow the links of the site instead.",
        "ADDRESS_REFUSED": "Look at the address; one of your own network the operator has to allow"
        " (TABWRIGHT_FETCH_ALLOWED).",
        "FETCH_FAILED": "Look whether the address opens in a browser, and try again.",
        "CONFLICT": "Try again when nobody else changes it.",
        "JOB_GIVEN_UP": "Split it into smaller documents, and ask the operator to look at the log.",
        "INTERNAL": "Ask the operator to look at the log, and try again.",
    }
)
DEFAULT_ADVICE = "Try again; if it stays so, ask the operator."


def advice_for(code: str) -> str:
    """A sentence for everyone."""
    return ADVICE.get(code, DEFAULT_ADVICE)
