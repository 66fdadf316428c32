"""Pairing on the wire."""

from datetime import datetime

from pydantic import Field

from app.api.models import Received, Reply


class PairingCode(Reply):
    """A code for a person to carry to a browser."""

    code: str = Field(examples=["H7KM-2QXV"])
    expires_at: datetime


class Proofs(Reply):
    """What shows a browser that the code it was given was made here, and for the address it asked."""

    proofs: list[str] = Field(
        description="For each open code the HMAC-SHA256, in hex, of `tabwright pairing`, the nonce and"
        " the origin that the code is for, parted by newlines, under PBKDF2-HMAC-SHA256 of the code"
        " (600,000 rounds, salt `tabwright pairing code`)"
    )


class Claim(Received):
    """What the browser brings."""

    code: str = Field(max_length=64, description="Upper or lower case, with or without its hyphen")


class Paired(Reply):
    """What the code was worth: a key of its own for this browser, shown this once."""

    api_key: str
    tenant_id: str
    user_id: str
