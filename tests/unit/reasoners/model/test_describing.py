"""Each action there is, in words for the panel."""

import pytest

from app.domain.action import ACTION_NAMES, PARAMETERS, action
from app.plans.validation import parse_action
from app.reasoners.model.decisions import describe_action
from tests.unit.reasoners.model.scripted import customer_form

SAID = {
    'click("25")': "Click the 'Save' button",
    'setValue("20", "Jas")': "Enter 'Jas' in the 'Name' field",
    'selectOption("24", "France")': "Choose 'France' in the 'Country' list",
    'setChecked("25", true)': "Check the 'Save' button",
    'scroll("page", "down")': "Scroll the page down",
    'doubleClick("25")': "Double-click the 'Save' button",
    'press("25", 800)': "Hold the 'Save' button down for 800 ms",
    "press(30, 40, 800)": "Hold 30, 40 down for 800 ms",
    'dragTo("1", 30, 40)': "Drag the 'Home' link to 30, 40",
    'selectText("20")': "Select all in the 'Name' field",
    'scroll("page", 0, 200)': "Scroll the page by 0, 200",
    "draw([[1, 2], [3, 4], [5, 6]])": "Draw a line of 3 points",
    'dragTo("1", "2")': "Drag the 'Home' link to the 'Customers' link",
    'uploadFile("20", "a.pdf")': "Upload 'a.pdf' to the 'Name' field",
    'uploadFile("20", "a.txt", "Hello")': "Upload 'a.txt' to the 'Name' field",
    'navigate("https://a.example/")': "Go to https://a.example/",
    'pressKey("Enter")': "Press Enter",
    'googleSearch("zip {code}")': "Search the web for 'zip {code}'",
}


@pytest.mark.parametrize(("call", "words"), SAID.items())
def test_an_action_in_words(call, words):
    assert describe_action(parse_action(call)[0], customer_form()) == words


@pytest.mark.parametrize("name", ACTION_NAMES)
def test_every_action_has_words(name):
    example = {str: "20", int: 1, bool: False, tuple: ((1, 2), (3, 4))}
    made = action(name, *(example[kind] for _, kind in PARAMETERS[name]))
    words = describe_action(made, customer_form())
    assert words[0].isupper()
    assert "{" not in words
