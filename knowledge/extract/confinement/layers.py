"""Which layers of confinement hold."""

import sys

from pydantic import BaseModel, ConfigDict


class Layers(BaseModel):
    """Of one reader process. `landlock` is the version of the kernel's interface; 0: it has none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    landlock: int = 0
    seccomp: bool = False

    @property
    def missing(self) -> tuple[str, ...]:
        """What a confined reader needs and this one lacks."""
        held = {"Landlock": self.landlock > 0, "seccomp": self.seccomp}
        return tuple(name for name, holds in held.items() if not holds)

    def __str__(self) -> str:
        kernel = [f"Landlock {self.landlock}"] if self.landlock else []
        kernel += ["seccomp"] if self.seccomp else []
        return ", ".join([*kernel, "limits", "audit hook"])


def may_be_unconfined(setting: bool | None) -> bool:
    """Whether documents are read where a layer is missing: as it is set, else only on systems that have no
    such means, which are all but Linux.
    """
    return sys.platform != "linux" if setting is None else setting
