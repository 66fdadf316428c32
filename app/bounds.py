"""How long a text from outside may be, in characters: one place for the API, the MCP tools and documents.

What a person or a program says is refused where it is too long, with an error that names the setting. What a
page or a document holds is cut there, and marked as cut.
"""

from dataclasses import dataclass, fields
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

CUT = "…"


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """The bounds, each a setting of its own: `goal` is `TABWRIGHT_LONGEST_GOAL`."""

    message: int = 200_000  # of the chat
    goal: int = 10_000
    question: int = 2_000  # to the documents alone
    answer: int = 4_000  # to a question, and the value of a recipe's parameter
    note: int = 2_000  # of a person or an assistant, on why
    title: int = 300  # of a document, a conversation, a recipe
    url: int = 8_192
    label: int = 300  # of a control, a group, an option, a tab; cut
    value: int = 20_000  # of a field, a message of the page; cut
    cell: int = 100_000  # of a table of a document; cut

    @staticmethod
    def setting(name: str) -> str:
        """The name of the setting of one of them."""
        return f"TABWRIGHT_LONGEST_{name.upper()}"


NAMES = tuple(one.name for one in fields(Bounds))
_active = Bounds()


def bounds() -> Bounds:
    """Those of this process."""
    return _active


def set_bounds(given: Bounds) -> None:
    """Have this process keep to these."""
    global _active
    _active = given


def cut(text: str, most: int) -> str:
    """The text, or its beginning with a mark that it was cut."""
    return text if len(text) <= most else text[: most - len(CUT)] + CUT


@dataclass(frozen=True)
class Bounded:
    """On an annotated `str`: refuses one that is longer than that bound."""

    name: str

    def __get_pydantic_core_schema__(
        self,
        source: Any,  # noqa: ANN401 - pydantic's own
        handler: GetCoreSchemaHandler,
    ) -> CoreSchema:
        """The same text, checked."""
        return core_schema.no_info_after_validator_function(self._checked, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """As JSON schema has it, with the bound that is set."""
        return {**handler(schema), "maxLength": self._most}

    @property
    def _most(self) -> int:
        most: int = getattr(_active, self.name)
        return most

    def _checked(self, text: str) -> str:
        if len(text) > self._most:
            raise PydanticCustomError(
                "text_too_long",
                "At most {most} characters ({setting})",
                {"most": f"{self._most:,}", "setting": Bounds.setting(self.name)},
            )
        return text
