"""What messages and pages say, as stems of all languages; `app.engines.verification.wording` reads them."""

from app.text.languages import entries, stems

ERROR = stems("messages.error")
SUCCESS = stems("messages.success")
BUSY = stems("messages.busy")
ERROR_PAGE = stems("messages.error_page")
"""What titles and headings of error pages begin with."""
ERROR_TITLE = entries("messages.error_title")
"""Whole titles and headings that say no more than that: "Error"."""
DENIAL = entries("messages.denial")
"""What turns what follows it into its opposite."""
NO_ERRORS = stems("messages.no_errors")
"""What tells of errors that there are none, where the denial comes after or has no blank before it."""
SIGN_IN = stems("messages.sign_in")
SIGNED_OUT = stems("messages.signed_out")
SIGN_IN_PATH = entries("messages.sign_in_path")
"""Parts of an address that lead to signing in."""
