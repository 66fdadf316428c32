"""Repositories of pairing codes, and of the server's own secrets."""

import asyncio
import hashlib
import hmac
import secrets
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from pymongo.errors import DuplicateKeyError

from app.domain.access import Pairing, Principal
from app.store.mongo.rows import Repository, from_row, to_row

SECRET_BYTES = 32
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without 0 O, 1 I L, which look alike
CODE_LENGTH = 8
CODE_LIFE = timedelta(minutes=2)
CODE_SALT = b"tabwright pairing code"
CODE_ROUNDS = 600_000  # OWASP for PBKDF2-HMAC-SHA256, as in extension/panel/pairing.js
MOST_PROVED = 100  # newest valid codes that are proved


class Pairings(Repository):
    """Short-lived codes that a person copies from the server to a browser."""

    collection = "pairings"

    async def create(self, principal: Principal, server: str) -> tuple[Pairing, str]:
        """Create a code such as "ABCD-EFGH" for this user at that origin; only its hash is stored."""
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        now = datetime.now(UTC)
        now = now.replace(microsecond=now.microsecond // 1000 * 1000)  # BSON precision
        pairing = Pairing(
            tenant=principal.tenant,
            user=principal.user,
            server=server,
            made_by=principal.key_id,
            created_at=now,
            expires_at=now + CODE_LIFE,
        )
        await self._rows.insert_one({**to_row(pairing), "hash": await _hash_code(code)})
        return pairing, f"{code[:4]}-{code[4:]}"

    async def prove(self, nonce: str) -> list[str]:
        """For each valid code, a proof that this server issued it: an HMAC of the nonce and the code's
        origin, which requires the code to create and does not help to guess it.
        """
        cursor = self._rows.find({"expiresAt": {"$gt": datetime.now(UTC)}}).sort("expiresAt", -1)
        rows = await cursor.to_list(MOST_PROVED)
        return [proof_of(bytes.fromhex(row["hash"]), nonce, row["server"]) for row in rows]

    async def claim(self, code: str) -> Pairing | None:
        """Redeem a code once; None if it is wrong, used or expired."""
        letters = "".join(one for one in code.upper() if one.isalnum())
        if len(letters) != CODE_LENGTH or not letters.isascii():
            return None
        row = await self._rows.find_one_and_delete({"hash": await _hash_code(letters)})
        pairing = from_row(Pairing, row) if row else None
        return pairing if pairing and pairing.expires_at > datetime.now(UTC) else None


def proof_of(hashed: bytes, nonce: str, server: str) -> str:
    """The HMAC over this nonce and origin, which only a holder or the issuer of the code can compute."""
    signed = f"tabwright pairing\n{nonce}\n{server}"
    return hmac.new(hashed, signed.encode(), hashlib.sha256).hexdigest()


async def _hash_code(letters: str) -> str:
    hashed = await asyncio.to_thread(
        hashlib.pbkdf2_hmac, "sha256", letters.encode(), CODE_SALT, CODE_ROUNDS, 32
    )
    return hashed.hex()


class Secrets(Repository):
    """Random bytes shared by all processes on one store."""

    collection = "server_secrets"

    async def get(self, name: str) -> bytes:
        """The secret with that name, created on first use."""
        new = {
            "name": name,
            "value": secrets.token_bytes(SECRET_BYTES),
            "createdAt": datetime.now(UTC),
        }
        with suppress(DuplicateKeyError):
            await self._rows.insert_one(new)
        row = await self._rows.find_one({"name": name})
        assert row is not None
        return bytes(row["value"])
