"""What the rest needs of API keys, pairing codes and the server's own secrets."""

from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from app.domain.access import ApiKey, Pairing, Principal


class Keys(Protocol):
    """API keys, hashed."""

    async def create(
        self, principal: Principal, *, name: str = "", expires_at: datetime | None = None
    ) -> tuple[ApiKey, str]:
        """A new key and its secret, which is shown this once and stored nowhere."""
        ...

    async def pair(self, pairing: Pairing) -> tuple[ApiKey, str] | None:
        """A browser's key for a claimed code. It ends with the key that made the code, and with those that
        one was paired from; None where that one has ended already.
        """
        ...

    async def ensure(self, principal: Principal, secret: str) -> None:
        """Make sure that this secret (the bootstrap key) opens for this principal."""
        ...

    async def principal(self, secret: str) -> Principal | None:
        """Who holds the secret; None for a wrong, revoked or expired one, as its row says now."""
        ...

    async def get(self, tenant: str, key_id: str) -> ApiKey:
        """One key, or `NotFound`."""
        ...

    async def all(self, tenant: str) -> list[ApiKey]:
        """The tenant's keys, newest first."""
        ...

    async def tenants(self) -> list[str]:
        """Every tenant that has or had a key, for the operator of the installation."""
        ...

    async def opens(self, tenant: str, key_id: str) -> bool:
        """Whether this key opens, as its row says now."""
        ...

    async def closed(self, key_ids: Collection[str]) -> set[str]:
        """Those of these keys of any tenant that open no more, for a process that serves many."""
        ...

    async def revoke(self, tenant: str, key_id: str) -> None:
        """End a key and all that were paired from it, or `NotFound`. Ending it again changes nothing."""
        ...

    async def rotate(self, tenant: str, key_id: str, *, grace_s: float) -> tuple[ApiKey, str]:
        """A new key in the place of one, which opens for `grace_s` more at most, as do those that were paired
        from it. Raises `NotFound`, or `KeyEnded` for one that opens no more, was rotated already, or is a
        browser's.
        """
        ...


class Pairings(Protocol):
    """Short-lived codes that a person carries from the server to a browser."""

    async def create(self, principal: Principal, server: str) -> tuple[Pairing, str]:
        """A new code for this tenant and user at that origin, as "ABCD-EFGH"; stored hashed alone."""
        ...

    async def prove(self, nonce: str) -> list[str]:
        """For each open code a proof that it was made here: an HMAC of the nonce and the code's origin,
        which nobody can make, or try the code with, who does not know the code.
        """
        ...

    async def claim(self, code: str) -> Pairing | None:
        """What the code was made for; None for a wrong, used or old one. It opens this once."""
        ...


class Secrets(Protocol):
    """Random bytes that all processes on one store share and nobody else knows."""

    async def get(self, name: str) -> bytes:
        """The secret of that name, made by whoever asks first."""
        ...
