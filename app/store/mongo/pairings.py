"""Repository of pairing codes.

A code is short enough to be typed, so a plain hash of it could be turned back within seconds by who
reads the collection: scrypt makes every guess cost what one claim costs (about 40 ms and 16 MB; all
31^8 codes then take a thousand years, and a code lives two minutes). One salt for all, since a code
is looked up by its hash; that lookup compares no secrets whose time could tell.
"""

import asyncio
import hashlib
import secrets
from datetime import UTC, datetime, timedelta

from app.domain.task import Pairing, Principal
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import from_row, to_row

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without 0 O, 1 I L: no two look alike
LENGTH = 8
LIFE = timedelta(minutes=2)
SALT = b"tabwright pairing code"
COST = {"n": 2**14, "r": 8, "p": 1}  # scrypt's own recommendation for interactive use


class MongoPairings:
    """`Pairings` in the collection `pairings`."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["pairings"]

    @translated
    async def create(self, principal: Principal) -> tuple[Pairing, str]:
        """A new code for this tenant and user, as "ABCD-EFGH"; stored hashed alone."""
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        now = datetime.now(UTC)
        now = now.replace(microsecond=now.microsecond // 1000 * 1000)  # as BSON keeps it
        made = Pairing(
            tenant=principal.tenant, user=principal.user, created_at=now, expires_at=now + LIFE
        )
        await self._rows.insert_one({**to_row(made), "hash": await _hash(code)})
        return made, f"{code[:4]}-{code[4:]}"

    @translated
    async def claim(self, code: str) -> Pairing | None:
        """What the code was made for; None for a wrong, used or old one. It opens this once."""
        letters = "".join(one for one in code.upper() if one.isalnum())
        if len(letters) != LENGTH or not letters.isascii():
            return None
        row = await self._rows.find_one_and_delete({"hash": await _hash(letters)})
        found = from_row(Pairing, row) if row else None
        return found if found and found.expires_at > datetime.now(UTC) else None


async def _hash(letters: str) -> str:
    hashed = await asyncio.to_thread(hashlib.scrypt, letters.encode(), salt=SALT, dklen=32, **COST)
    return hashed.hex()
