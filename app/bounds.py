"""Length limits of external texts, in characters: for the API, the MCP tools and documents.

Input from users and programs is rejected if too long, with an error that names the setting. Texts from
pages and documents are cut, and marked as such.
"""

from dataclasses import dataclass, fields
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

CUT = "…"


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """The limits, each with its own setting: `goal` is `TABWRIGHT_LONGEST_GOAL`."""

    message: int = 200_000  # of the chat
    goal: int = 10_000
    question: int = 2_000  # for the document search
    answer: int = 4_000  # to a question; also the value of a recipe's parameter
    note: int = 2_000  # a user's or assistant's reasons
    title: int = 300  # of a document, a conversation, a recipe
    url: int = 8_192
    label: int = 300  # of a control, a group, an option, a tab; cut
    value: int = 20_000  # of a field, a message on the page; cut
    cell: int = 100_000  # of a table in a document; cut

    @staticmethod
    def setting(name: str) -> str:
        return f"TABWRIGHT_LONGEST_{name.upper()}"


NAMES = tuple(one.name for one in fields(Bounds))
_active = Bounds()


def bounds() -> Bounds:
    return _active


def set_bounds(given: Bounds) -> None:
    global _active
    _active = given


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - len(CUT)] + CUT


@dataclass(frozen=True)
class Bounded:
    """Annotation of `str`: rejects values longer than that limit."""

    name: str

    def __get_pydantic_core_schema__(
        self,
        source: Any,  # noqa: ANN401 - pydantic's own
        handler: GetCoreSchemaHandler,
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._checked, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
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
