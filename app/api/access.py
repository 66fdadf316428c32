"""Who may ask for what: the one dependency that every operation with a key goes through."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends

from app.api.lifetime import PrincipalDep
from app.domain.task import Principal, Role
from app.errors import Forbidden


def at_least(role: Role) -> Callable[[Principal], Awaitable[Principal]]:
    """A dependency: who is asking, when their key has the role or one above it; else `Forbidden`."""

    async def check(who: PrincipalDep) -> Principal:
        if not who.has(role):
            raise Forbidden(f"This takes a key of role {role}; this one is of role {who.role}")
        return who

    check.__name__ = f"at_least_{role}"
    return check


AsUser = PrincipalDep
AsOperator = Annotated[Principal, Depends(at_least("operator"))]
AsAdmin = Annotated[Principal, Depends(at_least("admin"))]
