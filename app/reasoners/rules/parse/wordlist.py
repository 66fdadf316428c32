"""Word lists as one string: "red|dark blue" -> ("red", "dark blue")."""


def words(text: str) -> tuple[str, ...]:
    """The entries between bars, without surrounding white space."""
    return tuple(" ".join(entry.split()) for entry in text.split("|"))
