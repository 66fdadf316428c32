"""Who comes in to the MCP servers, over either transport."""

from app.domain.access import Principal


def admitted(who: Principal) -> Principal:
    """The holder of the key as the servers know them: whoever speaks here is a program, so no consent of a
    person comes this way, whatever key was sent. Raises `Forbidden` for a key without scope `mcp`.
    """
    who.require("mcp")
    return who.without_consent()
