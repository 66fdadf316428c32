"""The `tabwright` command."""


def main() -> None:
    """Run the command line. Imported late, since a server's workers import this package too."""
    from app.cli.__main__ import run_command_line  # noqa: PLC0415

    run_command_line()


__all__ = ["main"]
