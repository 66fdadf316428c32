"""What a model claims, certified by code: each claim stands on quotes that are found where it says."""

from app.chat.claims.certificate import (
    CertifiedClaim,
    Claim,
    ClaimReply,
    Quote,
    certify_claims,
    claims_of,
)
from app.chat.claims.sources import Sources

__all__ = [
    "CertifiedClaim",
    "Claim",
    "ClaimReply",
    "Quote",
    "Sources",
    "certify_claims",
    "claims_of",
]
