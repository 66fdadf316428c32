"""The strict grammar of actions: what a model may write, and what it is told of the rest."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.domain.action import DIRECTIONS, PARAMETERS, Action, action
from app.errors import InvalidAction
from app.plans.validation import LONGEST_VALUE, parse_action

READ = {
    'click("14")': action("click", "14"),
    "click(14)": action("click", "14"),
    'click("2:14")': action("click", "2:14"),
    " click ( 14 ) ; ": action("click", "14"),
    "click(14)\n": action("click", "14"),
    'setValue("14", "Jas")': action("setValue", "14", "Jas"),
    "setValue(14, 'Jas')": action("setValue", "14", "Jas"),
    "setValue(14, 'say \"hi\"')": action("setValue", "14", 'say "hi"'),
    r"setValue(14, 'O\'Brien')": action("setValue", "14", "O'Brien"),
    r'setValue(14, "O\'Brien")': action("setValue", "14", "O'Brien"),
    'setValue(14, "O\'Brien")': action("setValue", "14", "O'Brien"),
    r'setValue(14, "a \"b\" \\ c")': action("setValue", "14", 'a "b" \\ c'),
    r'setValue(14, "one\ntwo")': action("setValue", "14", "one\ntwo"),
    'setValue(14, "one\ntwo")': action("setValue", "14", "one\ntwo"),
    r'setValue(14, "\u05d3\u05e0\u05d4 ✓")': action("setValue", "14", "דנה ✓"),
    'setValue(14, "")': action("setValue", "14", ""),
    'setValue(14, "f(x), click(3)?")': action("setValue", "14", "f(x), click(3)?"),
    'selectOption(9, "New York, NY")': action("selectOption", "9", "New York, NY"),
    "setChecked(3, true)": action("setChecked", "3", True),
    "setChecked(3,false)": action("setChecked", "3", False),
    "clickAt(10, 20)": action("clickAt", 10, 20),
    "clickAt(10.6, -2)": action("clickAt", 11, -2),
    'scroll("page", "down")': action("scroll", "page", "down"),
    'scroll(7, "up")': action("scroll", "7", "up"),
    "dragTo(1, 2)": action("dragTo", "1", "2"),
    "goBack()": action("goBack"),
    "closeTab( )": action("closeTab"),
    "wait(500)": action("wait", 500),
    "switchTab(0)": action("switchTab", 0),
    'navigate("https://example.org/a?b=c#d")': action("navigate", "https://example.org/a?b=c#d"),
    'openTab("http://localhost:8080/")': action("openTab", "http://localhost:8080/"),
    'finish("Saved (twice).")': action("finish", "Saved (twice)."),
}

REFUSED = {
    "": "not one action",
    "click": "not one action",
    "the Save button": "not one action",
    "click(14": "not one action",
    "click(14) now": "not one action",
    "I will click(14)": "not one action",
    "```click(14)```": "not one action",
    "click(14);;": "not one action",
    "click(14)??": "not one action",
    "click(1); click(2)": "not an argument",
    "click(14,)": "not an argument",
    "click(Save)": "not an argument",
    "click(id=14)": "not an argument",
    "click(2:14)": "not an argument",
    "click(\uff11\uff14)": "not an argument",
    "setValue(14, 'O'Brien')": "not an argument",
    'setValue(14, "say "hi"")': "not an argument",
    "setValue(14, “Jas”)": "not an argument",
    "setValue(14, null)": "not an argument",
    'setValue(14, ["a"])': "not an argument",
    r'setValue(14, "\x41")': "escape",
    r'setValue(14, "\u12")': "escape",
    "tap(14)": "no action 'tap'",
    "Click(14)": "no action 'Click'",
    "__import__(14)": "not one action",
    "click()": "takes id",
    "click(1, 2)": "takes id",
    "setValue(14)": "takes id, text",
    "goBack(1)": "takes no arguments",
    "wait()": "takes ms",
    "click(-1)": "the id of click",
    "click(1.5)": "the id of click",
    "click(true)": "the id of click",
    'click("")': "empty",
    'pressKey(" ")': "empty",
    "setValue(14, 5)": "a text in quotes",
    'setChecked(3, "true")': "true or false",
    "setChecked(3, 1)": "true or false",
    'wait("500")': "a whole number",
    "wait(1.5)": "a whole number",
    "wait(true)": "a whole number",
    "wait(-1)": "between",
    "wait(600000)": "between",
    "switchTab(-1)": "from 0",
    "wait(12345678901234567890)": "too large",
    'click("page")': "not the page",
    'scroll("page", "sideways")': "direction",
    'navigate("example.org")': "no address",
    'navigate("javascript:alert(1)")': "no address",
    'navigate("file:///etc/passwd")': "no address",
    'openTab("data:text/html,x")': "no address",
    'navigate("https://")': "no address",
    'navigate("https://a.org/ b")': "no address",
    'navigate("https://bank.org@evil.org/")': "no address",
    'navigate("https://[::1")': "no address",
    r'setValue(14, "a\u0000b")': "control characters",
    'setValue(14, "a\x1bb")': "control characters",
    r'setValue(14, "\ud800")': "control characters",
    f'setValue(14, "{"x" * (LONGEST_VALUE + 1)}")': "longer than",
    f'setValue(14, "{"x" * 100_000}")': "too long",
}


@pytest.mark.parametrize(("text", "wanted"), READ.items(), ids=READ.keys())
def test_what_is_written_is_read(text, wanted):
    assert parse_action(text) == (wanted, False)


@pytest.mark.parametrize("text", ["click(14)?", "click(14) ? ;", 'click("14")?;'])
def test_a_question_mark_lets_it_fail(text):
    assert parse_action(text) == (action("click", "14"), True)


@pytest.mark.parametrize(("text", "why"), REFUSED.items(), ids=lambda v: v[:30])
def test_the_rest_is_refused_with_a_reason(text, why):
    with pytest.raises(InvalidAction, match=re.escape(why)) as caught:
        parse_action(text)
    reason = caught.value.detail
    assert "\n" not in reason
    assert len(reason) < 400
    reason.encode()  # no half characters: it goes into a prompt


TEXTS = st.text(
    st.characters(exclude_categories=("Cc", "Cs")) | st.sampled_from("\n\t\"'\\(),?;"), max_size=60
)
FILLED = TEXTS.filter(str.strip)
BY_NAME = {
    "id": FILLED.filter(lambda t: t != "page"),
    "targetId": FILLED.filter(lambda t: t != "page"),
    "key": FILLED,
    "url": st.sampled_from(["https://a.org/ä?q=\"'\\", "http://[::1]:80/x", "https://b.co/(1,2)"]),
    "query": FILLED,
    "question": FILLED,
    "name": FILLED,
    "what": FILLED,
    "direction": st.sampled_from(sorted(DIRECTIONS)),
    "index": st.integers(0, 99),
    "ms": st.integers(0, 10_000),
}
NUMBERS = st.integers(-99_999, 99_999)
LINES = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=6).map(tuple)
BY_KIND = {str: TEXTS, int: NUMBERS, bool: st.booleans(), tuple: LINES}


@st.composite
def actions(draw):
    name = draw(st.sampled_from(sorted(PARAMETERS)))
    args = {key: draw(BY_NAME.get(key, BY_KIND[kind])) for key, kind in PARAMETERS[name]}
    return Action(name=name, args=args)


@given(actions(), st.booleans())
def test_what_an_action_writes_is_read_back(one, can_fail):
    assert parse_action(one.text + "?" * can_fail) == (one, can_fail)


PIECES = st.sampled_from(
    [*PARAMETERS, "(", ")", ",", '"', "'", "\\", "\\u", "?", ";", " ", "\n", "14", "-", ".", "true"]
)


@given(st.lists(PIECES | st.text(max_size=5), max_size=25).map("".join))
@example("click(" + ") " * 2_000 + "x")
@example("click(" + " " * 5_000 + "x)")
def test_nothing_else_is_ever_raised(text):
    try:
        one, _ = parse_action(text)
    except InvalidAction:
        return
    assert parse_action(one.text)[0] == one
