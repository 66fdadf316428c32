"""Whether an action had its intended effect, judged by the page before and after it."""

from app.page.difference import Difference, compare_pages
from app.page.snapshot import dom_hash, fingerprint, pack, page_outline, unpack
from app.verification.verdict import verify

__all__ = [
    "Difference", "compare_pages", "dom_hash", "fingerprint", "pack", "page_outline", "unpack",
    "verify",
]  # fmt: skip
