"""The page as a model reads it: lines, one a control, under the names of their containers."""

from app.engines.render.forms import form
from app.engines.render.lines import lines

__all__ = ["form", "lines"]
