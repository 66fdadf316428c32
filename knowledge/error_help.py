"""Advice for users on failed documents, by failure code."""

from types import MappingProxyType

ADVICE = MappingProxyType(
    {
        "DOCUMENT_EMPTY": "Check that it is the right file or page, and add one that has text.",
        "DOCUMENT_DAMAGED": "Open it in its own program, save it again, and add the new file.",
        "DOCUMENT_ENCRYPTED": "Save a copy without the password, and add that.",
        "DOCUMENT_UNSUPPORTED": "Save it as PDF, Word, HTML or text, and add that.",
        "DOCUMENT_TOO_LARGE": "Split it into smaller documents, and add those.",
        "DOCUMENT_TOO_SLOW": "Split it into smaller documents, and add those.",
        "DOCUMENT_PICTURES_ONLY": "Run text recognition (OCR) on it, and add the result.",
        "DOCUMENT_NOT_AVAILABLE": "Set a Gemini key on the server, or add a transcript as text.",
        "TOO_LARGE": "Split it into smaller documents, and add those.",
        "PAGE_NEEDS_BROWSER": 'Open the page in the browser, and press "Learn this page".',
        "PAGE_NOT_OPEN": 'Sign in to it in the browser, and press "Learn this page" there.',
        "PAGE_GONE": "Find its new address on the site, and add that.",
        "PAGE_NOT_ANSWERED": "Open the address in the browser; if it works there, try again.",
        "PAGE_NOT_INDEXED": 'If you may use it, open it in the browser and press "Learn this page".',
        "PAGE_OFF_SITE": "Add the other site as a link of its own if you need it.",
        "ROBOTS_DISALLOWED": 'If you may use it, open it in the browser and press "Learn this page".',
        "SITE_BUSY": "Try again later.",
        "SITEMAP_NOT_FOUND": "Enter the address of the sitemap itself, or follow the links instead.",
        "SITEMAP_EMPTY": "Follow the links of the site instead.",
        "ADDRESS_REFUSED": "Check the address. The operator has to allow addresses of your own network"
        " (TABWRIGHT_FETCH_ALLOWED).",
        "FETCH_FAILED": "Check that the address opens in a browser, and try again.",
        "CONFLICT": "Try again when no one else is changing it.",
        "JOB_GIVEN_UP": "Split it into smaller documents, and ask the operator to check the log.",
        "INTERNAL": "Ask the operator to check the log, and try again.",
    }
)
DEFAULT_ADVICE = "Try again. If it fails again, ask the operator."


def advice_for(code: str) -> str:
    return ADVICE.get(code, DEFAULT_ADVICE)
