"""A save that is answered by a session that ended, or by the flow from its beginning, is no success."""

from dataclasses import replace

import pytest

from app.domain.action import ClientReport
from app.page.messages import GOING_ON
from app.verification import verify
from app.verification.contradictions import FORM_RESTARTED
from app.verification.evidence import TaskHistory
from tests.unit.verification.looks import CLICK_SAVE, chain, form, judge, n, page, toast

FILLED = form("Jas Patel")
ELSEWHERE = "https://app.example.org/patients/sign-in"
TITLE = n("40", "inp", "Title", group="form: New booking")
DATE = n("41", "inp", "Date", group="form: New booking")
START = page(TITLE, DATE, n("42", "btn", "Next"), url="https://app.example.org/bookings/new")
FILLED_BEFORE = TaskHistory(filled=frozenset({TITLE.signature, DATE.signature}))

SIGNING_IN = [
    "Your session has expired. Signing you in again…",
    "Session expired. Reconnecting...",
    "Ihre Sitzung ist abgelaufen. Sie werden wieder angemeldet …",
    "Votre session a expiré. Reconnexion en cours…",
    "Su sesión ha caducado. Iniciando sesión de nuevo…",
    "Sessão expirada. Redirecionando…",
    "Sessie verlopen. U wordt opnieuw aangemeld…",
    "Sesja wygasła. Trwa logowanie…",
    "Срок сеанса истек. Выполняется вход…",
    "会话已过期。正在登录…",
    "セッションの有効期限が切れました。ログインしています…",
]
SIGNED_OUT = [
    "You have been logged out.",
    "You were signed out for inactivity",
    "Sie wurden abgemeldet",
    "Vous avez été déconnecté.",
    "Zostałeś wylogowany",
    "您已退出登录",
    "ログアウトされました",
]


def look_again(after, past):
    sent = chain(CLICK_SAVE)
    return verify(
        FILLED, after, sent, ClientReport(), last_step=True, completes_step=True, history=past
    )


@pytest.mark.parametrize("text", SIGNING_IN)
@pytest.mark.parametrize("told", ["as a message", "as text", "as an error"])
def test_a_page_that_signs_in_again_by_itself_is_waited_for(text, told):
    node = toast(text) if told == "as a message" else n("90", "link", "Help")
    after = page(node, url=ELSEWHERE, title="One moment", summary=f"# One moment\n{text}")
    if told == "as an error":
        after = replace(after, errors=(text,))
    verdict = judge(FILLED, after, CLICK_SAVE)
    assert verdict.succeeded is None
    assert verdict.reason.startswith(GOING_ON)


@pytest.mark.parametrize("text", SIGNED_OUT)
def test_words_of_having_been_signed_out_are_no_success(text):
    after = page(n("1", "link", "Start"), toast(text), url=ELSEWHERE, summary=text)
    verdict = judge(FILLED, after, CLICK_SAVE)
    assert verdict.succeeded is False
    assert text.rstrip(".") in verdict.reason


def test_the_first_page_of_the_flow_with_empty_fields_is_no_success():
    assert judge(FILLED, START, CLICK_SAVE).task_completed  # for all that the two looks say
    verdict = look_again(START, FILLED_BEFORE)
    assert verdict.succeeded is None
    assert verdict.reason.startswith(FORM_RESTARTED)


@pytest.mark.parametrize("said", [toast("Booking saved"), n("95", "row", "Jas Patel, Attic")])
def test_a_page_that_tells_of_the_success_may_start_anew(said):
    after = page(*START.tree, said, url=START.url)
    assert look_again(after, FILLED_BEFORE).task_completed


def test_another_page_is_a_success_as_before():
    after = page(n("2", "btn", "New"), url="https://app.example.org/patients/7")
    assert look_again(after, FILLED_BEFORE).task_completed


def test_the_reason_of_an_error_page_is_what_it_says_most_plainly():
    after = page(title="Error", summary="# The connection was lost. Check whether it was saved.")
    verdict = judge(FILLED, after, CLICK_SAVE)
    assert verdict.succeeded is False
    assert "The connection was lost" in verdict.reason
