"""The table of what is done, asked, and refused."""

from dataclasses import replace

import pytest

from app.authorization import Act, is_doubtful, rule_act
from app.domain.access import CONSEQUENTIAL, EFFECTS, Approvals
from app.domain.verdict import EffectReview

SITE = "crm.example"
RISKY, ALWAYS, TRUSTS = (Approvals(mode=mode) for mode in ("risky", "always", "trust_goal"))
NEVER = Approvals(mode="always", never_for=("*.example",))
HARMLESS = EffectReview(effect="reads", requested=True)
GRAVE = EffectReview(effect="deletes", requested=True)
UNSURE = EffectReview()
UNWANTED = EffectReview(effect="fills", requested=False)


def act(seen="reads", **told) -> Act:
    return Act(sentence="Press 'Delete' for Jas", site=SITE, code_effect=seen, **told)


def chosen(seen="reads", **told) -> Act:
    return act(seen, modelled=True, **told)


@pytest.mark.parametrize("effect", EFFECTS)
def test_only_what_deletes_pays_sends_or_grants_is_asked_about(effect):
    for made in (act(effect), chosen(effect), chosen(effect, model_effect=effect)):
        decision, settled, sentence = rule_act(made, RISKY)
        assert decision == ("ask" if effect in CONSEQUENTIAL else "allow")
        assert (settled, sentence) == (effect, "Press 'Delete' for Jas")


@pytest.mark.parametrize(
    ("made", "approvals", "opinion", "decision"),
    [
        # Where model and code disagree the critic decides; away or unsure, the graver view stands.
        (chosen("deletes", model_effect="reads"), RISKY, None, "ask"),
        (chosen("deletes", model_effect="reads"), RISKY, UNSURE, "ask"),
        (chosen("deletes", model_effect="reads"), RISKY, GRAVE, "ask"),
        (chosen("deletes", model_effect="reads"), RISKY, HARMLESS, "allow"),
        (chosen("reads", model_effect="deletes"), RISKY, None, "ask"),
        (chosen("reads", model_effect="deletes"), RISKY, HARMLESS, "allow"),
        (chosen("pays", model_effect="saves"), RISKY, None, "ask"),
        (chosen("pays", model_effect="saves"), RISKY, HARMLESS, "allow"),
        (chosen("deletes"), RISKY, HARMLESS, "ask"),
        # Where they agree no critic can take it back.
        (chosen("deletes", model_effect="deletes"), RISKY, HARMLESS, "ask"),
        (chosen("sends", model_effect="pays"), RISKY, HARMLESS, "ask"),
        # Without a model the code's view stands.
        (act("deletes"), RISKY, HARMLESS, "ask"),
        # What no source speaks for waits for the critic, or for a yes.
        (chosen("fills", unsourced=True), RISKY, None, "ask"),
        (chosen("fills", unsourced=True), RISKY, UNWANTED, "ask"),
        (chosen("fills", unsourced=True), RISKY, HARMLESS, "allow"),
        # The tenant's word.
        (chosen("saves"), ALWAYS, None, "ask"),
        (chosen("fills"), ALWAYS, None, "allow"),
        (chosen("deletes", named_in_goal=True), TRUSTS, None, "allow"),
        (chosen("deletes", named_in_goal=False), TRUSTS, None, "ask"),
        (chosen("deletes", named_in_goal=True), RISKY, None, "ask"),
        (chosen("fills", unsourced=True, named_in_goal=True), TRUSTS, None, "ask"),
        (act("saves", offsite=True), TRUSTS, None, "ask"),
        (act("deletes", offsite=True), NEVER, None, "allow"),
        (chosen("fills", unsourced=True), NEVER, None, "allow"),
        # What no policy silences.
        (chosen("fills", leaks=True), NEVER, HARMLESS, "ask"),
        (chosen("fills", crosses=True), NEVER, HARMLESS, "ask"),
        (chosen("reads", refused=True), NEVER, HARMLESS, "refuse"),
        (act("deletes", refused=True), RISKY, None, "refuse"),
    ],
)
def test_the_table(made, approvals, opinion, decision):
    assert rule_act(made, approvals, opinion).decision == decision


@pytest.mark.parametrize(
    ("made", "approvals", "doubtful"),
    [
        (chosen("deletes", model_effect="reads"), RISKY, True),
        (chosen("reads", model_effect="deletes"), RISKY, True),
        (chosen("fills", unsourced=True), RISKY, True),
        (chosen("deletes", model_effect="deletes"), RISKY, False),
        (chosen("saves"), RISKY, False),
        (chosen("fills", leaks=True), RISKY, False),
        (chosen("deletes", model_effect="reads"), NEVER, False),
        (act("deletes"), RISKY, False),
    ],
)
def test_the_critic_is_asked_only_where_it_can_spare_a_question(made, approvals, doubtful):
    assert is_doubtful(made, approvals) is doubtful


def test_no_opinion_makes_an_act_less_asked_about_than_a_harmless_one():
    for effect in EFFECTS:
        made = chosen(effect, model_effect="reads", unsourced=True)
        for opinion in (None, UNSURE, UNWANTED, GRAVE):
            if rule_act(made, RISKY, opinion).decision == "allow":
                assert rule_act(replace(made, unsourced=False), RISKY, opinion).decision == "allow"
