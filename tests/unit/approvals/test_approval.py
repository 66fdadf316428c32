"""Which actions a person must agree to, in what words, and how long a yes holds."""

from dataclasses import replace
from typing import Any

import pytest

from app.approvals.approval import (
    approval_question,
    explain_declined,
    first_unapproved,
    list_approvals,
)
from app.approvals.approval_scope import RunHistory
from app.approvals.risk import weigh_chain
from app.domain.access import Approvals, Policy, site_of
from app.domain.action import ActionRecord, Chain, PlannedAction, Provenance
from app.domain.hitl import Question
from app.domain.page import MASK, DialogDecision, Node, Observation, ObservedDialog, Tree
from app.domain.plan import Decision
from app.domain.reasoner import Background, GivenAnswer, Situation
from app.page.snapshot import pack
from app.plans.validation import parse_action
from tests.unit.agent.reasoning import act

FORM, JAS, ANN = "form: Checkout", "row: Jas Patel, 1990", "row: Ann Lee, 1985"
NODES = (
    Node(id="1", role="btn", name="Delete", group=JAS),
    Node(id="2", role="btn", name="Delete", group=ANN),
    Node(id="3", role="inp", name="Card number", value="4111", group=FORM),
    Node(id="4", role="inp", name="CVC", value="123", group=FORM, input_type="password"),
    Node(id="5", role="inp", name="Note", value="", group=FORM),
    Node(id="6", role="btn", name="Pay now", group=FORM, input_type="submit"),
    Node(id="7", role="inp", name="Search", input_type="search"),
    Node(id="8", role="link", name="Orders"),
    Node(id="9", role="btn", name="Delete\u202e 'patient'\n" + "for good " * 10),
    Node(id="10", role="btn", name="X", group=JAS),
    Node(id="30", role="btn", name="Delete Chiara Okafor", group="row: Chiara Okafor"),
    Node(id="31", role="btn", name="Delete Bo Chen", group="row: Bo Chen"),
    Node(id="20", role="btn", name="Yes", group="dialog: Are you sure?"),
    Node(id="21", role="btn", name="Delete", group="dialog: Delete Jas Patel?"),
    Node(id="25", role="txt", name="This cannot be undone.", group="dialog: Delete Jas Patel?"),
    Node(id="22", role="btn", name="Delete", group="dialog: Delete all patients?"),
    Node(id="23", role="btn", name="Delete", group="dialog: Delete Ann Lee?"),
    Node(id="24", role="btn", name="Pay now", group="dialog: Delete and pay?"),
)
HERE = "https://clinic.example/patients"
DEFAULT = Policy(tenant="one")


def situation(goal: str = "Delete Jas", url: str = HERE, **known: object) -> Situation:
    page = Observation(url=url, tree=Tree(NODES), title="Patients")
    background = Background(sites=("clinic.example",)).model_copy(update=known)
    return Situation(goal=goal, page=page, background=background)


def chain(*calls: str) -> Chain:
    return Chain(
        actions=tuple(
            PlannedAction(action_id=str(at), action=parse_action(call)[0], description=call)
            for at, call in enumerate(calls)
        )
    )


def asked(
    *calls: str,
    where: Situation | None = None,
    policy: Policy = DEFAULT,
    records: tuple[ActionRecord, ...] = (),
    maker: str = "rules",
    **past: Any,
) -> Question | None:
    refinement = Decision(outcome="act", maker=maker)
    return question_of(
        chain(*calls), refinement, where or situation(), policy, RunHistory(records=records, **past)
    )


def question_of(
    sent: Chain, refinement: Decision, where: Situation, policy: Policy, past: RunHistory
) -> Question | None:
    return approval_question(weigh_chain(sent, refinement, where, policy), where, past)


def done(call: str, status: str = "success", error: str = "", url: str = HERE) -> ActionRecord:
    action = parse_action(call)[0]
    node = next((one for one in NODES if one.id == action.target), None)
    signature = node.signature if node else None
    return ActionRecord(action=action, status=status, signature=signature, error=error, url=url)


def agreed(*calls: str) -> tuple[object, ...]:
    question = asked(*calls)
    assert question is not None
    return list_approvals(question)


def test_it_says_what_will_happen_to_which_record_on_which_site():
    question = asked("click(1)")
    assert question is not None
    assert question.approval is not None
    assert question.text == "Press 'Delete' for Jas Patel, 1990?"
    assert question.approval.description == "Press 'Delete'"
    assert question.approval.undo == "This takes something away and cannot be undone here."
    labels = [(one.id, one.label) for one in question.options]
    assert labels == [("yes", "Yes, press 'Delete'"), ("no", "No, leave it")]


def test_the_record_is_said_once_and_the_site_where_it_is_another():
    question = asked("click(30)")
    assert question is not None
    assert question.text == "Press 'Delete Chiara Okafor'?"
    elsewhere = asked("click(30)", where=situation(sites=("other.example", "clinic.example")))
    assert elsewhere is not None
    assert elsewhere.text == "Press 'Delete Chiara Okafor' on clinic.example?"


def test_text_of_a_page_is_one_short_plain_line():
    question = asked("click(9)", where=situation("Tidy up"))
    assert question is not None
    shown = question.text
    assert "\n" not in shown
    assert "\u202e" not in shown
    assert shown.count("'") == 2
    assert len(shown) < 110


def test_what_is_handed_in_is_shown_without_secrets():
    told = (GivenAnswer(question="Card number", text="x"),)
    where = situation("Pay; the PIN is 4711", answers=told)
    question = asked('setValue(5, "PIN 4711")', "click(6)", where=where)
    assert question is not None
    assert question.fields == ("Card number: 4111", f"CVC: {MASK}", f"Note: PIN {MASK}")
    assert question.text == "Press 'Pay now' in 'Checkout'?"


def test_what_is_asked_about_is_asked_on_the_page_as_it_is_then():
    where = situation("Pay")
    never = Policy(tenant="one", approvals=Approvals(never_for=("clinic.example",)))
    sent = chain('setValue(5, "Thanks")', "click(6)")
    acts = Decision(outcome="act", maker="rules")
    assert first_unapproved(weigh_chain(sent, acts, where, DEFAULT), where, RunHistory()) == 1
    assert first_unapproved(weigh_chain(sent, acts, where, never), where, RunHistory()) == 0
    assert (
        first_unapproved(weigh_chain(chain("click(6)"), acts, where, DEFAULT), where, RunHistory())
        == 0
    )
    said_no = situation("Pay", refused=agreed("click(6)"))
    assert first_unapproved(weigh_chain(sent, acts, said_no, DEFAULT), said_no, RunHistory()) == 1


@pytest.mark.parametrize(
    "group", ["section: Team review > dialog: Delete event", "section: Team review"]
)
def test_it_names_what_stands_around_and_what_the_page_asks(group: str):
    button = Node(id="1", role="btn", name="Delete", group=group)
    says = Node(id="2", role="txt", name="Sure? All guests are told.", group=group)
    page = Observation(url=HERE, tree=Tree((button, says)), title="Events")
    question = asked("click(1)", where=replace(situation("Delete it"), page=page))
    assert question is not None
    places = group.replace("section: ", "").replace(" > dialog: ", " \u203a ")
    assert question.text == f"Press 'Delete' in '{places}'?"
    assert question.fields == (("The page says: Sure?",) if "dialog" in group else ())


@pytest.mark.parametrize("call", ['setValue(7, "Jas")', "click(8)", 'scroll("page", "down")'])
def test_looking_around_is_never_asked_about(call: str):
    everywhere = situation(url="https://elsewhere.test/")
    always = Policy(tenant="one", approvals=Approvals(mode="always"))
    assert asked(call, where=everywhere, policy=always) is None


def test_enter_is_what_its_form_does():
    question = asked('setValue(5, "Thanks")', 'pressKey("Enter")')
    assert question is not None
    assert question.approval is not None
    assert question.approval.element_id == "6"


@pytest.mark.parametrize(
    ("url", "told", "policy", "effects"),
    [
        ("https://clinic.example/p/1", "Tidy up", DEFAULT, None),
        ("https://accounts.clinic.example/", "Tidy up", DEFAULT, None),
        ("https://partner.test/", "Tidy up", DEFAULT, ("outside",)),
        ("https://partner.test/", "Open partner.test", DEFAULT, None),
        (
            "https://partner.test/",
            "Tidy",
            Policy(tenant="", action_domains=("partner.test",)),
            None,
        ),
        ("https://a.github.io/", "Open github", DEFAULT, ("outside",)),
    ],
)
def test_leaving_the_persons_sites(url: str, told: str, policy: Policy, effects: object):
    question = asked(f'navigate("{url}")', where=situation(told), policy=policy)
    found = question.approval.effects if question and question.approval else None
    assert found == effects
    if question and question.approval:
        assert question.approval.site == site_of(url)


def test_a_site_is_new_once():
    there = "https://partner.test/"
    question = asked('setValue(5, "Jas")', where=situation(url=there))
    assert question is not None
    assert question.approval is not None
    assert question.approval.effects == ("new_site",)
    known = situation(url=there, approved=list_approvals(question))
    assert asked('setValue(3, "Jas")', where=known) is None
    earlier = situation(url=there, sites=("clinic.example", "partner.test"))
    assert asked('setValue(5, "Jas")', where=earlier) is None
    again = situation(url=there, refused=list_approvals(question))
    found = weigh_chain(chain('setValue(3, "Jas")'), act('setValue(3, "Jas")'), again, DEFAULT)
    assert explain_declined(found, again) is not None


@pytest.mark.parametrize(
    ("call", "records", "free"),
    [
        ("click(1)", (done("click(1)", "failure", "ELEMENT_NOT_FOUND"),), True),
        ("click(1)", (done("click(1)", "failure", "VERIFICATION_FAILED"),), False),
        ("click(1)", (done("click(1)", "unknown", "NO_TRACE"),), True),
        ("click(1)", (done("click(1)"),), False),
        ("click(1)", (done("click(1)", "unknown"),), False),
        ("click(1)", (done("click(1)", "failure", "NO_TRACE"), done('pressKey("Enter")')), False),
        ("click(2)", (), False),
        ("click(6)", (done("click(1)"),), False),
        ("click(21)", (done("click(1)"),), True),
        ("click(21)", (done("click(1)"), done("wait(1000)")), True),
        ("click(21)", (), False),
        ("click(21)", (done("click(1)"), done("click(8)")), False),
        ("click(21)", (done("click(1)"), done("click(21)")), False),
        ("click(22)", (done("click(1)"),), False),
        ("click(23)", (done("click(1)"),), False),
        ("click(24)", (done("click(1)"),), False),
    ],
)
def test_a_yes_is_for_that_control_once_and_for_what_confirms_it(
    call: str, records: tuple[ActionRecord, ...], free: bool
):
    where = situation(approved=agreed("click(1)"))
    assert (asked(call, where=where, records=records) is None) is free


@pytest.mark.parametrize(
    ("title", "text", "button", "free"),
    [
        (
            "Delete Chiara Okafor?",
            "All her notes are removed. No way back.",
            "Delete patient",
            True,
        ),
        ("Really sure?", "This cannot be undone.", "Delete", True),
        ("Delete Bo Chen?", "", "Delete patient", False),
        ("Delete patients?", "All 500 patients are removed.", "Delete", False),
        ("Delete Chiara Okafor?", "It will be paid for.", "Pay now", False),
    ],
)
def test_the_pages_own_question_may_stand_in_a_form_and_say_that_it_is_final(
    title: str, text: str, button: str, free: bool
):
    """The list is gone behind the dialog: that another is named is known from the page before."""
    place = f"dialog: {title} > form"
    shown = Tree((Node(id="40", role="btn", name=button, group=place),))
    summary = f"{title}\n{text} This cannot be undone.\n{button}"
    known = situation(goal="Delete the patient Chiara Okafor", approved=agreed("click(30)"))
    where = replace(known, page=replace(known.page, tree=shown, summary=summary))
    record = done("click(30)").model_copy(update={"action_id": "0"})
    before = pack(Observation(url=HERE, tree=Tree(NODES)))
    last = {"records": (record,), "judged": chain("click(30)"), "before": before}
    assert (asked("click(40)", where=where, **last) is None) is free


@pytest.mark.parametrize(("shown", "free"), [(NODES, False), (NODES[:12], True)])
def test_a_dialog_that_stood_there_before_confirms_nothing(shown: tuple[Node, ...], free: bool):
    where = situation(approved=agreed("click(1)"))
    before = pack(Observation(url=HERE, tree=Tree(shown)))
    record = done("click(1)").model_copy(update={"action_id": "0"})
    last = {"records": (record,), "judged": chain("click(1)"), "before": before}
    assert (asked("click(21)", where=where, **last) is None) is free


@pytest.mark.parametrize(
    ("message", "asks"), [("Delete Jas?", True), ("Discard the changes?", False)]
)
def test_what_the_browser_says_an_action_does_counts(message: str, asks: bool):
    seen = ObservedDialog(kind="confirm", message=message)
    where = situation()
    where = replace(where, page=replace(where.page, dialogs=(seen,)))
    planned = chain("click(10)").actions[0]
    yes = planned.model_copy(update={"dialog": DialogDecision(accept=True)})
    again = Chain(actions=(yes,))
    question = question_of(again, Decision(outcome="act"), where, DEFAULT, RunHistory())
    assert (question is not None) is asks
    if question is not None:
        known = where.background.model_copy(update={"approved": list_approvals(question)})
        more = ObservedDialog(kind="confirm", message="Delete all 500 patients?")
        for said, free in ((seen, True), (more, False)):
            page = replace(where.page, dialogs=(said,))
            then = replace(where, page=page, background=known)
            past = RunHistory(records=(done("click(10)", "failure"),))
            found = question_of(again, Decision(outcome="act"), then, DEFAULT, past)
            assert (found is None) is free
    if question is not None:
        said = "Press 'X' for Jas Patel, 1990, and answer 'Delete Jas?' with yes?"
        assert question.text == said


@pytest.mark.parametrize(
    ("call", "ref", "asks"),
    [
        ("click(1)", None, False),
        ('setValue(5, "0900-666")', HERE, False),
        ('setValue(5, "0900-666")', "https://mail.example/inbox", True),
        ('setValue(5, "Hunter2x!9")', None, True),
        ('setValue(4, "Hunter2x!9")', None, False),
    ],
)
def test_where_nobody_is_to_be_asked_only_secrets_and_values_of_other_sites_are(call, ref, asks):
    free = Policy(tenant="one", approvals=Approvals(never_for=("clinic.example",)))
    where = situation("Tidy up; my password is Hunter2x!9")
    sent = chain(call)
    came = Provenance(origin="page", ref=ref) if ref else Provenance(origin="goal")
    sent = Chain(actions=(sent.actions[0].model_copy(update={"provenance": came}),))
    refinement = Decision(outcome="act", maker="model")
    assert (question_of(sent, refinement, where, DEFAULT, RunHistory()) is not None) is (
        asks or not call.startswith("setValue(4")
    )
    assert (question_of(sent, refinement, where, free, RunHistory()) is not None) is asks


@pytest.mark.parametrize(("name", "asks"), [("menu workspace delete", True), ("Orders", False)])
def test_a_model_that_says_a_link_deletes_is_believed_where_the_link_is_called_so(
    name: str, asks: bool
) -> None:
    link = Node(id="8", role="link", name=name, group="menu")
    where = situation("Delete the flow 'Old test'")
    where = replace(where, page=replace(where.page, tree=Tree((link,))))
    refinement = Decision(outcome="act", maker="model")
    found = weigh_chain(chain("click(8)"), refinement, where, DEFAULT, model_effect="deletes")
    assert [one.asks for one in found] == [asks]


@pytest.mark.parametrize(
    ("name", "group", "stays", "free"),
    [
        ("Delete: are you sure?", JAS, False, True),
        ("Delete: are you sure?", JAS, True, False),
        ("Delete: are you sure?", ANN, False, False),
        ("Pay now", JAS, False, False),
    ],
)
def test_a_button_may_ask_in_its_own_place(name: str, group: str, stays: bool, free: bool):
    known = situation(approved=agreed("click(1)"))
    rest = NODES if stays else NODES[1:]
    shown = Tree((Node(id="40", role="btn", name=name, group=group), *rest))
    where = replace(known, page=replace(known.page, tree=shown))
    record = done("click(1)").model_copy(update={"action_id": "0"})
    before = pack(Observation(url=HERE, tree=Tree(NODES)))
    last = {"records": (record,), "judged": chain("click(1)"), "before": before}
    assert (asked("click(40)", where=where, **last) is None) is free
