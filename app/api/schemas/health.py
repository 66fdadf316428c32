"""What the health endpoints say."""

from typing import Literal

from app.api.schemas.wire import Reply


class Health(Reply):
    """`ok`: the process serves; `ready`: so does what it depends on."""

    status: Literal["ok", "ready"]
