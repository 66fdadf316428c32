"""What happens after a chain: assessment, correction, replanning, handover, progress."""

from app.recovery.assessment import ChainContext, assess_chain
from app.recovery.chain_outcome import (
    ALLOWED_TO_FAIL,
    NO_TRACE,
    NOTHING_ANSWERED,
    as_recovery,
    drop_done,
    explain_failure,
)
from app.recovery.contingency import find_contingency, insert_contingency, is_aside
from app.recovery.correction.case import find_unknown_repeat, make_correction
from app.recovery.correction.proposals import awaits_answer, find_mendable, limit_completion
from app.recovery.correction.repairs import begin_repair, repair_status, settle_repair
from app.recovery.correction.strategies import uncover_control
from app.recovery.handover import (
    describe_offer,
    describe_person_act,
    must_reread,
    offer_handover,
    restore_plan,
    resume_after_person,
)
from app.recovery.plan_revision import (
    apply_model_plan,
    begin_replanned,
    remember_page,
    replan_rest,
    sign_out_outcome,
)
from app.recovery.progress import (
    Judgement,
    advance_after_decision,
    conclude_run,
    failed_outcome,
    hopeless_outcome,
    outcome_after_correction,
    settle_chain,
    step_limit_outcome,
)
from app.recovery.second_look import SECOND_LOOK
from app.recovery.unknown_outcome import (
    HAPPENED,
    credit_person,
    doubt_if_by_person,
    find_doubtful,
    follow_person,
    outcome_question,
)

__all__ = [
    "ALLOWED_TO_FAIL",
    "HAPPENED",
    "NOTHING_ANSWERED",
    "NO_TRACE",
    "SECOND_LOOK",
    "ChainContext",
    "Judgement",
    "advance_after_decision",
    "apply_model_plan",
    "as_recovery",
    "assess_chain",
    "awaits_answer",
    "begin_repair",
    "begin_replanned",
    "conclude_run",
    "credit_person",
    "describe_offer",
    "describe_person_act",
    "doubt_if_by_person",
    "drop_done",
    "explain_failure",
    "failed_outcome",
    "find_contingency",
    "find_doubtful",
    "find_mendable",
    "find_unknown_repeat",
    "follow_person",
    "hopeless_outcome",
    "insert_contingency",
    "is_aside",
    "limit_completion",
    "make_correction",
    "must_reread",
    "offer_handover",
    "outcome_after_correction",
    "outcome_question",
    "remember_page",
    "repair_status",
    "replan_rest",
    "restore_plan",
    "resume_after_person",
    "settle_chain",
    "settle_repair",
    "sign_out_outcome",
    "step_limit_outcome",
    "uncover_control",
]
