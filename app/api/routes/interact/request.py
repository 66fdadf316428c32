"""The body of an interact request, and its conversion to domain values."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints, ValidationError, model_validator

from app.api.models import EXAMPLES, RequestModel
from app.api.request_body import invalid_body
from app.api.routes.interact.observation import (
    MESSAGES,
    ClientObservationsIn,
    DialogIn,
    DownloadIn,
    Hash,
    Html,
    Label,
    Messages,
    NodeIn,
    PageText,
    Picture,
    PlacedTextIn,
    TabIn,
    Text,
    UnreachableFrameIn,
    Viewport,
    decode_jpeg,
    select_markup,
)
from app.api.routes.interact.question import Answer, HandBackIn, HitlResponseIn
from app.bounds import Bounded, bounds, cut
from app.domain.action import ClientReport
from app.domain.memory import RecipeCall
from app.domain.page import (
    MAX_NODES,
    ClientObservations,
    Observation,
    ObservedDialog,
    ObservedTab,
    PageMode,
    Tree,
    UnreachableFrame,
)
from app.errors import TreeTooLarge
from app.page import list_controls

SUMMARY_CHARS = 4_000  # see CONTRACT, "pageSummary"
DIALOGS = 50
TABS = 50
DOWNLOADS = 50
UNWORDED_ERROR = "There is an error on the page"
UNWORDED_SUCCESS = "There is a success message on the page"
NOTHING_ANSWERED = "NOTHING_ANSWERED"  # the code of a note that a click had no effect on the page
# The pattern excludes NUL; pydantic-core matches it, since a tree holds thousands of texts.
ClientId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,128}$")]
Identifier = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{8,64}$")]


class ActionError(RequestModel):
    """Why an action failed in the page, or a note on one that was carried out."""

    code: Text = ""
    message: Text = ""


class ChainPartialState(RequestModel):
    executed_actions: list[Text] = []
    total_actions_in_chain: Annotated[int, Field(ge=0)] | None = None


class RecipeIn(RequestModel):
    """A recipe to replay in a new task, and the values of its parameters by name."""

    recipe_id: Identifier
    values: Annotated[dict[str, Answer], Field(max_length=MESSAGES)] = {}

    def call(self) -> RecipeCall:
        values = {name: text for name, value in self.values.items() if (text := value.strip())}
        return RecipeCall(recipe_id=self.recipe_id, values=values)


class InteractRequest(RequestModel):
    """An observation of the page: the first with a goal, later ones with the outcome of the action."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLES["InteractRequest"]]})

    url: Annotated[PageText, StringConstraints(min_length=1), Bounded("url")]
    query: Annotated[PageText, Bounded("goal")] | None = None
    page_title: Label | None = None
    recipe: RecipeIn | None = None
    continue_from: Identifier | None = None
    delegation_id: Identifier | None = None
    task_id: Identifier | None = None
    session_id: ClientId | None = None
    request_id: ClientId | None = None
    dom_mode: PageMode = "semantic_v3"
    interactive_tree: Annotated[tuple[NodeIn, ...], Field(max_length=MAX_NODES)] | None = None
    viewport: Viewport | None = None
    page_summary: PageText | None = None
    texts: Annotated[tuple[PlacedTextIn, ...], Field(max_length=MAX_NODES)] | None = None
    scroll_position: Text | None = None
    scrollable_containers: list[Any] | None = None
    unreachable_frames: Annotated[list[UnreachableFrameIn], Field(max_length=MESSAGES)] | None = (
        None
    )
    recent_events: Messages | None = None
    has_errors: bool | None = None
    has_success: bool | None = None
    verification_passed: Annotated[bool | None, Field(alias="verification_passed")] = None
    errors_detected: Annotated[Messages | None, Field(alias="errors_detected")] = None
    success_messages: Annotated[Messages | None, Field(alias="success_messages")] = None
    client_observations: ClientObservationsIn | None = None
    dialogs: Annotated[list[DialogIn] | None, Field(max_length=DIALOGS)] = None
    downloads: Annotated[list[DownloadIn] | None, Field(max_length=DOWNLOADS)] = None
    tabs: Annotated[list[TabIn] | None, Field(max_length=TABS)] = None
    last_action_id: Text | None = None
    last_action_status: Literal["success", "failure", "unknown"] | None = None
    last_action_error: ActionError | None = None
    last_action_note: ActionError | None = None
    last_executed_action_index: Annotated[int, Field(ge=-1)] | None = None
    chain_partial_state: ChainPartialState | None = None
    hitl_response: HitlResponseIn | None = None
    hand_back: HandBackIn | None = None
    dom: Html | None = None
    skeleton_dom: Html | None = None
    screenshot: Picture | None = None
    screenshot_hash: Hash | None = None
    screenshot_refused: Text | None = None

    @model_validator(mode="after")
    def _check_combination(self) -> "InteractRequest":
        if self.continue_from is not None and (self.task_id or self.recipe):
            raise ValueError("continueFrom: starts a new task, so send no taskId or recipe")
        if self.delegation_id is not None and self.task_id is not None:
            raise ValueError("delegationId: starts a new task, so send no taskId")
        if self.hand_back is not None and self.task_id is None:
            raise ValueError("handBack: requires the taskId of the task handed back")
        needs_query = not (self.task_id or self.recipe or self.continue_from)
        # An answer without a task is rejected later, because no question is pending.
        if needs_query and self.hitl_response is None and not (self.query or "").strip():
            raise ValueError("query: required for a new task")
        if self.interactive_tree is None and self.dom_mode == "semantic_v3":
            raise ValueError("interactiveTree: required unless another domMode is sent")
        tree = self.interactive_tree or ()
        if len({node.i for node in tree}) != len(tree):
            raise ValueError("interactiveTree: two nodes have the same id")
        return self

    def observation(self) -> Observation:
        """The observation; without a tree, the controls that its markup marks with ids."""
        if self.interactive_tree is None:
            tree = list_controls(self.dom or self.skeleton_dom or "")
        else:
            tree = Tree.of(node.node() for node in self.interactive_tree)
        client = self.client_observations or ClientObservationsIn()
        errors, successes = self._messages()
        return Observation(
            url=self.url,
            tree=tree,
            title=self.page_title or "",
            summary=(self.page_summary or "")[:SUMMARY_CHARS],
            texts=tuple(one.placed_text() for one in self.texts or ()),
            errors=errors,
            successes=successes,
            events=tuple(self.recent_events or ()),
            client=ClientObservations(
                network=client.did_network_occur,
                mutated=client.did_dom_mutate,
                url_changed=client.did_url_change,
                pending=client.settle.pending if client.settle is not None else None,
                restless=client.settle.restless if client.settle is not None else None,
                still_loading=bool(client.still_loading),
            ),
            scroll=(self.scroll_position or "")[:40],
            viewport=(self.viewport.width, self.viewport.height) if self.viewport else None,
            dialogs=tuple(
                ObservedDialog(kind=one.type, **one.model_dump(exclude={"type"}))
                for one in self.dialogs or ()
            ),
            downloads=tuple(one.download() for one in self.downloads or ()),
            tabs=tuple(ObservedTab(**one.model_dump()) for one in self.tabs or ()),
            scrollables=tuple(
                cut(str(item), bounds().label) for item in (self.scrollable_containers or ())[:50]
            ),
            unreachable=tuple(
                UnreachableFrame(**one.model_dump()) for one in self.unreachable_frames or ()
            ),
            mode=self.dom_mode,
            markup=select_markup(self.dom_mode, self.dom, self.skeleton_dom),
            screenshot=decode_jpeg(self.screenshot) if self.screenshot else None,
            pictured=self.screenshot_hash is not None,
            no_picture=self.screenshot_refused or "",
        )

    def _messages(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Error and success messages of the page.

        A failure reported without text counts as an error. A success without text only matters if
        it contradicts one.
        """
        errors, successes = self.errors_detected or (), self.success_messages or ()
        if not self.has_errors or errors:
            return tuple(errors), tuple(successes)
        if self.has_success and not successes:
            return (UNWORDED_ERROR,), (UNWORDED_SUCCESS,)
        return (UNWORDED_ERROR,), tuple(successes)

    def report(self) -> ClientReport:
        """The client's report on its last action; without any statement the action succeeded."""
        if self.hand_back is not None and self.last_action_status is None:  # page only
            return ClientReport(status="unknown")
        error, note = self.last_action_error, self.last_action_note
        partial, executed_index = self.chain_partial_state, self.last_executed_action_index
        if executed_index is None and partial is not None:
            executed_index = len(partial.executed_actions) - 1  # -1: the chain completed none
        return ClientReport(
            status=self.last_action_status or ("failure" if error else "success"),
            error_code=error.code if error else None,
            error_message=error.message if error else None,
            unanswered=note is not None and note.code == NOTHING_ANSWERED,
            executed_index=executed_index,
            executed=tuple(partial.executed_actions) if partial is not None else None,
        )


def parse_interact(body: bytes) -> InteractRequest:
    """Raises `TreeTooLarge` or `InvalidBody`."""
    try:
        return InteractRequest.model_validate_json(body)
    except ValidationError as error:
        for item in error.errors(include_url=False, include_context=False, include_input=False):
            if item["type"] == "too_long" and item["loc"] == ("interactiveTree",):
                raise TreeTooLarge(f"The tree exceeds {MAX_NODES:,} nodes.") from None
        raise invalid_body(error) from None
