"""Clauses -> directives, one after the other; what is forbidden is kept apart."""

from collections.abc import Callable, Mapping

from app.domain.directive import Directive, Target, Verb
from app.reasoners.rules.parse import (
    frames_choose,
    frames_copy,
    frames_drag,
    frames_fill,
    frames_filter,
    frames_move,
    frames_named,
    frames_point,
    frames_record,
    frames_set,
    frames_upload,
    lexicon,
    verb_table,
)
from app.reasoners.rules.parse.clauses import Clause, negations, skip_lead_ins
from app.reasoners.rules.parse.conditions import condition_of, fits, trailing
from app.reasoners.rules.parse.context import Draft, in_context
from app.reasoners.rules.parse.continuation import continued
from app.reasoners.rules.parse.counts import counted
from app.reasoners.rules.parse.doubt import sureness
from app.reasoners.rules.parse.fields import pairs_of
from app.reasoners.rules.parse.spans import Phrases, Span
from app.reasoners.rules.parse.targets import container_name, target_of
from app.reasoners.rules.parse.unheeded import unheeded
from app.reasoners.rules.parse.verbs import Found, gerund_at, verb_at
from app.reasoners.rules.parse.wordlist import words

Frame = Callable[[Found, Span], list[Directive]]

FRAMES: Mapping[verb_table.Frame, Frame] = {
    "point": frames_point.point,
    "toggle": frames_point.toggle,
    "press": frames_point.press,
    "bare": frames_point.bare,
    "named": frames_named.named,
    "turn": frames_point.turn,
    "filter": frames_filter.filtered,
    "compose": frames_named.compose,
    "fill": frames_fill.fill,
    "set": frames_set.set_to,
    "fill_in": frames_fill.fill_in,
    "select": frames_choose.select,
    "submit": frames_choose.submit,
    "search": frames_choose.search,
    "login": frames_choose.login,
    "record": frames_record.record,
    "upload": frames_upload.upload,
    "scroll": frames_move.scroll,
    "drag": frames_drag.drag,
    "navigate": frames_move.navigate,
    "wait": frames_move.wait,
    "verify": frames_move.verify,
    "read": frames_move.read,
    "sort": frames_move.sort,
    "copy": frames_copy.copy,
}
_DESCRIPTIVE = Phrases(lexicon.DESCRIPTIVE)
_TAILS = Phrases(lexicon.STOP_TAIL)
_PREPOSITIONS = frozenset(words("in|on|under|for|from|within|inside|using|with|at|of|by|to"))
_DONE = frozenset(["when", "once", "after", "as"])
_NAMES_CONTROL = frozenset({"named", "compose", "point", "press", "toggle"})
_POINTING: frozenset[Verb] = frozenset({"click", "open", "close", "check", "uncheck", "select"})
# Frames whose words may hold an "if" that is no condition.
_HOLDS_TEXT: frozenset[verb_table.Frame] = frozenset(
    {"verify", "read", "fill", "search", "compose"}
)
# How sure a clause is that was understood only as something to do.
OPAQUE = 0.4
PARTIAL = 0.7


def interpret(clauses: list[Clause]) -> Draft:
    """Reads the clauses in order."""
    draft = Draft()
    for clause in clauses:
        _read(clause, draft)
    nothing = not (draft.directives or draft.forbidden)
    if clauses and nothing:
        whole = draft.lead or clauses[0].span
        _opaque(whole, draft)
    return draft


def _read(clause: Clause, draft: Draft) -> None:
    span = clause.span
    if span.low(0) in lexicon.CONDITIONS:
        draft.condition = condition_of(span)
        if draft.condition is None:
            _opaque(span, draft)
        return
    span = span[skip_lead_ins(span) :]
    span = _without_tail(span)
    if not len(span) or _is_done(span):
        return
    if length := negations().at(span, 0):
        _forbid(span[length:], draft)
        return
    found = verb_at(span, 0)
    if found is None:
        found, span = _fronted(span, draft)
    if found is None:
        _verbless(clause, span, draft)
        return
    if clause.joint == "purpose" and _only_purpose(draft):
        return
    _act(found, span, draft)


def _without_tail(span: Span) -> Span:
    while len(span):
        length = _TAILS.ends(span)
        if span.low(len(span) - 1 - length) == "no":  # "No thanks" is what such a button says
            length = 0
        if not length or length >= len(span):
            return (
                span.trimmed() if span.tokens[-1].kind == "mark" and span[-1].text == "," else span
            )
        span = span[:-length].trimmed()
    return span


def _is_done(span: Span) -> bool:
    """As in "when done", "once the page has loaded": nothing to do."""
    done = {"done", "finished", "complete", "completed", "ready", "loaded", "loads", "that", "opens",
            "appears", "there", "in", "this", "logged"}  # fmt: skip
    return span.low(0) in _DONE and len(span) < 8 and span.low(len(span) - 1) in done


def _fronted(span: Span, draft: Draft) -> tuple[Found | None, Span]:
    """As in "in the dialog click OK", "after logging in", "by clicking X": the verb comes later."""
    if span.low(0) in {"by", "after", "start", "begin", "before"} and (found := gerund_at(span, 1)):
        return found, span[1:]
    if (found := gerund_at(span, 0)) and found.entry.frame != "use":
        return found, span
    if span.low(0) not in _PREPOSITIONS:
        return None, span
    for index in range(2, min(len(span), 14)):
        found = verb_at(span, index)
        if found is not None and index + found.length < len(span):
            if span.low(index - 1) in lexicon.ARTICLES or span.low(index - 1) in _PREPOSITIONS:
                continue
            place = span.low(index) in lexicon.PLACES  # "on the tasks page add ..."
            if place and verb_at(span, index + found.length) is not None:
                continue
            draft.lead = span[:index].trimmed()
            return found, span[index:]
    return None, span


def _verbless(clause: Clause, span: Span, draft: Draft) -> None:
    if span.low(0) in _PREPOSITIONS and len(span) > 1 and clause.joint != "hard":
        draft.lead = span
        return
    if span.low(0) in _PREPOSITIONS and len(span) > 1 and not draft.directives:
        draft.lead = span
        return
    extended = continued(draft.directives, span)
    if extended is not None:
        draft.directives[:] = extended
        return
    pairs = pairs_of(span) if any(token.text in {":", "="} for token in span) else ()
    if pairs and all(pair.field for pair in pairs):
        draft.directives.append(Directive(verb="fill", fields=pairs, source=span.text))
        draft.doubt(PARTIAL)
        return
    _opaque(span, draft)


def _only_purpose(draft: Draft) -> bool:
    """After a click, "to delete it" says what the click is for."""
    return bool(draft.directives) and draft.directives[-1].verb in {
        "click",
        "select",
        "press",
        "check",
    }


def _forbid(span: Span, draft: Draft) -> None:
    found = verb_at(span, 0) or gerund_at(span, 0)
    if found is None:
        draft.forbidden.append(target_of(span))
        return
    args = span[found.length :]
    verb = found.entry.verb
    if any(token.low == "else" for token in args):  # "change nothing else" forbids no step
        return
    if found.entry.frame in {"named", "compose"} and verb_at(span, 0) and len(span) > 1:
        draft.forbidden += [d.target for d in frames_named.named(found, args) if d.target]
        return
    if verb == "close" and len(args):
        draft.forbidden_verbs.append(verb)
    if not len(args) and found.entry.frame in _NAMES_CONTROL:
        draft.forbidden.append(target_of(span))
        return
    if verb in _POINTING | {"press", "find"} and len(args):
        draft.forbidden.append(target_of(args))
        return
    if verb not in draft.forbidden_verbs:
        draft.forbidden_verbs.append(verb)
    draft.forbidden.append(Target(phrase=span[0].text if verb_at(span, 0) else found.word))


def _act(found: Found, span: Span, draft: Draft) -> None:
    if found.entry.frame == "use":
        draft.given = pairs_of(span[found.length :])
        draft.place = target_of(span[found.length :])
        return
    args = span[found.length :].trimmed()
    if len(args) == 1 and args.low(0) in {"nothing", "none"}:
        return
    if frames_copy.pasted(found, args, draft):
        return
    draft.copied = None
    unconditional = _unconditional(found, args, draft)
    if unconditional is None or (
        found.entry.verb in {"fill", "select"} and _DESCRIPTIVE.find(args) is not None
    ):
        _opaque(span, draft)
        return
    args = unconditional
    if _instrumental(found, args, draft):
        return
    made = _made(found, args)
    if not made:
        frames_copy.remember(found, args, draft)
        if not (not len(args) and found.entry.verb in {"find", "open"}):
            _opaque(span, draft)
        return
    if (left := unheeded(found, args, made)) is not None:
        made = [directive.model_copy(update={"unheeded": left}) for directive in made]
        draft.doubt(OPAQUE)
    elif (several := counted(found, args, _made)) is not None and len(made) == 1:
        made = [made[0].model_copy(update={"several": several})]
    draft.doubt(sureness(args, made))
    _kept(made, span, draft)


def _kept(made: list[Directive], span: Span, draft: Draft) -> None:
    for directive in made:
        if directive.verb == "read":
            directive = directive.model_copy(update={"value": span.text})
        if directive.verb == "login" and not directive.fields:
            directive = directive.model_copy(update={"fields": draft.given})
        draft.directives.append(in_context(directive, span.text, draft))
    draft.lead, draft.place, draft.condition = None, None, None


def _unconditional(found: Found, args: Span, draft: Draft) -> Span | None:
    """What is acted on, its "if it shows" kept in the draft; None when the page cannot tell that."""
    rest, said = trailing(args)
    if not len(said) or found.entry.frame in _HOLDS_TEXT:
        return args
    condition = condition_of(said)
    if not fits(condition, found):
        return None
    draft.condition = condition
    return rest


def _made(found: Found, args: Span) -> list[Directive]:
    frame = FRAMES.get(found.entry.frame)
    if frame is None or (
        not len(args) and not found.entry.bare and found.entry.frame not in {"named", "scroll"}
    ):
        return []
    return frame(found, args)


def _instrumental(found: Found, args: Span, draft: Draft) -> bool:
    """As in "close the dialog by clicking X": X is clicked, within the dialog."""
    for index in range(len(args) - 1):
        if args.low(index) in {"by", "via", "using"} and (by := gerund_at(args, index + 1)):
            tool = args[index + 1 + by.length :].trimmed()
            made = _made(by, tool)
            within = container_name(args[:index]) if index else None
            for directive in made:
                target = directive.target
                if target is not None and target.within is None and found.entry.verb == "close":
                    directive = directive.model_copy(
                        update={"target": target.model_copy(update={"within": within})}
                    )
                draft.directives.append(directive.model_copy(update={"source": args.text}))
            return bool(made)
    return False


def _opaque(span: Span, draft: Draft) -> None:
    draft.directives.append(Directive(verb="do", value=span.text, source=span.text))
    draft.doubt(OPAQUE)
