"""The evidence of one action, the scene it is derived from, and evidence that the page refused it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from app.domain.action import Action, Chain
from app.domain.directive import Directive, Instruction
from app.domain.page import Node, Observation
from app.page import (
    ENTRIES,
    Difference,
    compile_table,
    ends_in_progress,
    label_of,
    message_kind,
    quote,
    split_url,
)
from app.text import patterns
from app.text.lexicon import speaks_of, words
from app.text.vocabulary import entries

SLIGHT = 0.66  # below the 0.70 of DESIGN: the step continues, but the task is not completed
Status = Literal["success", "failure", "unknown"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Whether an action had its effect (None: unknown), with confidence and reason.

    `superseded`: a later action of the chain may explain it, such as a submit that clears a field.
    `contradicted`: the page contradicts success, which no model's opinion outweighs.
    """

    happened: bool | None
    confidence: float
    reason: str
    superseded: bool = False
    contradicted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredValue:
    """A value entered into a field, and the value it replaced."""

    signature: tuple[str, str, str]
    value: str
    old_value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskHistory:
    """The task before the chain. Fields are known by their (role, name, group)."""

    filled: frozenset[tuple[str, str, str]] = frozenset()
    entered: tuple[EnteredValue, ...] = ()


NO_HISTORY = TaskHistory()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Both observations, their difference, and the chain between them.

    `directive` is the chain's step; `goal` the whole command if the chain ends it.
    `had_no_reaction`: nothing on the page reacted to the click at once. `has_pending_request`: a
    request that it may have sent is unanswered.
    """

    before: Observation
    after: Observation
    diff: Difference
    chain: Chain
    status: Status
    directive: Directive | None = None
    goal: Instruction | None = None
    ends_goal: bool = False
    history: TaskHistory = NO_HISTORY
    had_no_reaction: bool = False
    has_pending_request: bool = False
    memo: dict[str, str] = field(default_factory=dict)

    def page_text(
        self, moment: Literal["before", "after"], render: Callable[[Observation], str]
    ) -> str:
        """Return a text view of an observation, computed once per chain."""
        if moment not in self.memo:
            self.memo[moment] = render(self.before if moment == "before" else self.after)
        return self.memo[moment]

    def node_before(self, action: Action) -> Node | None:
        return self.before.tree.get(action.target) if action.target else None

    def node_after(self, action: Action) -> Node | None:
        """Return the action's target after the chain, even if it appeared during the chain."""
        target = action.target or ""
        return self.diff.partner.get(target) or self.after.tree.get(target)

    def successor(self, node: Node) -> Node | None:
        """Return the control that `node` has become, even if it was redrawn under another name."""
        added = [n for n in self.diff.added if (n.role, n.group) == (node.role, node.group)]
        return self.diff.partner.get(node.id) or (added[0] if len(added) == 1 else None)

    @property
    def last_action(self) -> Action | None:
        return self.chain.actions[-1].action if self.chain.actions else None

    @property
    def pressed_node(self) -> Node | None:
        return self.node_before(self.last_action) if self.last_action is not None else None

    @property
    def reports_success(self) -> bool:
        return self.status == "success"

    @property
    def is_spontaneous(self) -> bool:
        """Whether the page may have changed on its own: no other change was seen, or it never settled."""
        client = self.after.client
        moved = client.url_changed is True or self.diff.address.is_changed
        return (client.mutated is False or client.restless is True) and not moved


def success(confidence: float, reason: str, *, superseded: bool = False) -> Evidence:
    return Evidence(True, confidence, reason, superseded)


def failure(confidence: float, reason: str) -> Evidence:
    return Evidence(False, confidence, reason)


def unclear(
    confidence: float, reason: str, *, superseded: bool = False, contradicted: bool = False
) -> Evidence:
    return Evidence(None, confidence, reason, superseded, contradicted)


_ERROR_START = compile_table("messages.error_page")
_ERROR_TITLES = frozenset(words(word) for word in entries("messages.error_title"))
_TITLE_PARTS = patterns.compile(r"\s+[-–—|·:]\s+")  # noqa: RUF001
_SPARSE = 10  # nodes; more are an application page
_PLAIN = 400  # characters of a bare server response


def is_error_page(page: Observation) -> bool:
    """Whether this is an error page by address, title, heading, or as a bare response."""
    if page.url.startswith(("chrome-error:", "about:neterror")):
        return True
    sparse = len(page.tree) <= _SPARSE
    titles = [page.title, *_headings(page, 2 if sparse else 1)]
    if any(_ERROR_START.match(words(text)) for text in titles):
        return True
    if sparse and any(
        words(_TITLE_PARTS.split(text)[0]) in _ERROR_TITLES for text in titles if text
    ):
        return True
    bare = len(page.tree) == 0 and 0 < len(page.summary) <= _PLAIN
    return bare and message_kind(page.summary) == "error"


def is_dead_end(page: Observation) -> bool:
    """Whether the page has at most a few links, texts and images."""
    is_plain = all(node.role in ("link", "txt", "img") for node in page.tree)
    return len(page.tree) <= _SPARSE and is_plain


def _headings(page: Observation, most: int) -> list[str]:
    lines = [line.strip() for line in page.summary.splitlines() if line.strip()]
    marked = [line.lstrip("# ") for line in lines if line.startswith("#")]
    return [*lines[:1], *marked[:most]]


_SIGN_IN, _SIGNED_OUT = compile_table("messages.sign_in"), compile_table("messages.signed_out")
_PATH = compile_table("messages.sign_in_path", end="$")
_WAYS = frozenset({"btn", "link"})
_LINE = 160  # characters; longer text is content


def find_objection(before: Observation, after: Observation, diff: Difference) -> str:
    """Return the error, error page or invalid field that contradicts success; "" if none."""
    if diff.errors:
        return f"The page says: {quote(diff.errors[0])}"
    if is_error_page(after) and not is_error_page(before):
        title = max((after.title, *_headings(after, 2)), key=lambda text: len(words(text).split()))
        return f"An error page came: {quote(title or after.url)}"
    marked = next((c.after for c in diff.changed if "invalid" in c.gained), None)
    if marked is not None:
        why = f": {quote(marked.hint)}" if marked.hint else ""
        return f"{label_of(marked)} is marked as invalid{why}"
    sent_to = diff.focus
    if sent_to is not None and "invalid" in sent_to.states and sent_to.role in ENTRIES:
        return f"The page asks for another {label_of(sent_to)}"
    return ""


def judge_refusal(scene: Scene) -> Evidence | None:
    why = find_objection(scene.before, scene.after, scene.diff)
    return failure(0.95 if scene.diff.errors else 0.9, why) if why else None


def judge_signed_out(scene: Scene, target: Node | None) -> Evidence | None:
    """Return evidence of an unrequested sign-in prompt or sign-out."""
    step = scene.directive.source if scene.directive is not None else ""
    texts_of_step = (step, target.name if target is not None else "")
    if any(_signs_in(text) or speaks_of("sign_out", text) for text in texts_of_step):
        return None
    if _asks_to_sign_in(scene.after) and not _asks_to_sign_in(scene.before):
        return failure(0.8, "The page asks to sign in")
    texts = [m.text for m in scene.diff.messages if not m.is_repeated]
    texts += [text for text in scene.diff.text_added if len(text) <= _LINE]
    messages = (t for t in texts if _SIGNED_OUT.search(words(t)) and not ends_in_progress(t))
    message = next(messages, None)
    return None if message is None else failure(0.85, f"The page says: {quote(message)}")


def _asks_to_sign_in(page: Observation) -> bool:
    """Whether the page has a sign-in control beside a password field or at a sign-in address."""
    _, path, _, fragment = split_url(page.url)
    asks = any(n.input_type == "password" for n in page.tree.of_roles(ENTRIES)) or _PATH.search(
        words(f"{path} {fragment}".replace("_", " "))
    )
    return bool(asks) and any(_signs_in(n.name) for n in page.tree.of_roles(_WAYS))


def _signs_in(name: str) -> bool:
    return speaks_of("sign_in", name) or _SIGN_IN.search(words(name)) is not None
