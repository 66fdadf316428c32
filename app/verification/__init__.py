"""Whether an action did what it was meant to do, told from the page before and after it."""

from app.page.difference import Difference, difference
from app.page.snapshot import dom_hash, fingerprint, pack, skeleton, unpack
from app.verification.verdict import verify

__all__ = [
    "Difference", "difference", "dom_hash", "fingerprint", "pack", "skeleton", "unpack",
    "verify",
]  # fmt: skip
