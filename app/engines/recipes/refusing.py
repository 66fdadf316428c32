"""Why a task cannot be a recipe."""


class NotARecipe(Exception):
    """The task cannot be done again by rule; the message says why, to a person."""
