"""How well risk is told on labelled controls: all dangerous ones found, few harmless ones raised."""

import pytest

from bench.risk_words import FALSE_ALARMS, RECALL, labelled, measure

LANGUAGES = {"en", "de", "fr", "es", "pt", "he"}


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("dev", 250),
        ("held", 250),
        ("held2", 200),
        ("held3", 200),
        ("held4", 200),
        ("held5", 190),
        ("held6", 200),
        ("held7", 300),
        ("held8", 300),
    ],
)
def test_dangerous_controls_are_found_and_harmless_ones_left_alone(name, least):
    controls = list(labelled(name))
    count = measure(controls)["all"]

    assert len(controls) >= least
    assert {one.language for one in controls} == LANGUAGES
    assert count.dangerous - count.found <= (1 - RECALL) * count.dangerous, count.missed
    assert count.raised <= FALSE_ALARMS * count.harmless, count.alarms
    assert count.named >= 0.95 * count.found


def test_no_language_falls_behind():
    together = [
        one
        for name in ("held", "held2", "held3", "held4", "held5", "held6", "held7", "held8")
        for one in labelled(name)
    ]
    counts = measure(together)

    for language in LANGUAGES:
        count = counts[language]
        assert count.found >= 0.97 * count.dangerous, count.missed
        assert count.raised <= FALSE_ALARMS * count.harmless, count.alarms


def test_wording_that_nothing_was_learned_from_is_told_as_well():
    """The misses are not shown: who reads them has learned from them."""
    blind = measure([one for name in ("blind", "blind2") for one in labelled(name)])["all"]

    assert blind.found >= 0.98 * blind.dangerous
    assert blind.raised <= FALSE_ALARMS * blind.harmless
