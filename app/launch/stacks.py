"""What `faulthandler` writes, as places in the code."""

MOST_FRAMES = 30
_FRAME = '  File "'


def frames_of(written: str) -> list[str]:
    """The frames of a dump, innermost first, each as `chat/service.py:12 start`: where the program lies on
    this machine is nobody's business.
    """
    lines = [line for line in written.splitlines() if line.startswith(_FRAME)]
    return [_place(line) for line in lines[:MOST_FRAMES]]


def _place(line: str) -> str:
    path, _, rest = line.removeprefix(_FRAME).partition('", line ')
    number, _, name = rest.partition(" in ")
    return f"{'/'.join(path.split('/')[-3:])}:{number} {name}"
