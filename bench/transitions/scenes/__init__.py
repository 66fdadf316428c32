"""All scenes, by page family. Those of held-out pages were written before any verdict of them was seen."""

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
