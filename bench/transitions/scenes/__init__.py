"""All scenes, by page family. Held-out scenes were written before any of their verdicts was seen."""

from bench.transitions.moves import Scene
from bench.transitions.scenes import (
    antd,
    clerk,
    clinic,
    contacts,
    held_out_forms,
    held_out_world,
    odd,
    react,
    shop,
    widgets,
)

SCENES: tuple[Scene, ...] = (
    *contacts.SCENES,
    *shop.SCENES,
    *widgets.SCENES,
    *odd.SCENES,
    *react.SCENES,
    *antd.SCENES,
    *clinic.SCENES,
    *clerk.SCENES,
    *held_out_forms.SCENES,
    *held_out_world.SCENES,
)
