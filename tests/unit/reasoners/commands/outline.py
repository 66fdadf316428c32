"""An instruction on one line, so that a table of hundreds can be read."""

from app.domain.directive import Directive, Instruction, Target


def outline(instruction: Instruction) -> str:
    """`verb target = value {field: value} -> destination xN ; ...`, kind first when no operation."""
    parts = [_directive(directive) for directive in instruction.directives]
    parts += [f"never {_target(target)}" for target in instruction.forbidden]
    line = " ; ".join(parts)
    if instruction.kind == "operation":
        return line
    return f"{instruction.kind}: {line}" if line else instruction.kind


def _directive(directive: Directive) -> str:
    text: str = directive.verb
    if directive.target is not None:
        text += " " + _target(directive.target)
    if directive.value is not None:
        text += f" = {directive.value}"
    if directive.copied is not None:
        text += f" = [{_target(directive.copied)}]"
    if directive.fields:
        pairs = ", ".join(f"{pair.field}: {pair.value}" for pair in directive.fields)
        text += f" {{{pairs}}}"
    if directive.destination is not None:
        text += " -> " + _target(directive.destination)
    return text + (f" x{directive.times}" if directive.times != 1 else "")


def _target(target: Target) -> str:
    parts = ["all" if target.all else "", "" if target.ordinal is None else f"#{target.ordinal}"]
    parts += [target.phrase]
    parts += [f"[{target.role}]" if target.role else ""]
    parts += [f"in<{target.within}>" if target.within else ""]
    parts += [f"near<{target.near}>" if target.near else ""]
    parts += [f"except<{'|'.join(target.excluding)}>" if target.excluding else ""]
    return " ".join(part for part in parts if part) or "[]"
