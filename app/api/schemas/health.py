"""What the health endpoints say."""

from typing import Literal

from app.api.models import Reply


class Health(Reply):
    """`ok`: the process serves; `ready`: so does what it depends on. `indexes`: some that make reads fast
    are not there yet.
    """

    status: Literal["ok", "ready"]
    indexes: Literal["building"] | None = None
