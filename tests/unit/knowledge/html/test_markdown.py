"""How what a page holds is written down."""

import pytest

from knowledge.html.reader import read_html

URL = "https://docs.example.com/manual/orders.html"


def written(body: str) -> str:
    return read_html(f"<html><body>{body}</body></html>", url=URL).markdown


def test_merged_cells_are_said_in_each_of_their_rows_and_columns():
    table = (
        "<table><caption>Doses</caption><thead><tr><th rowspan=2>Drug</th><th colspan=2>Dose</th></tr>"
        "<tr><th>Adult</th><th>Child</th></tr></thead>"
        "<tr><td rowspan=2>Ibuprofen</td><td>400 mg</td><td>200 mg</td></tr>"
        "<tr><td>600 mg</td><td>a|b</td></tr></table>"
    )
    assert written(table) == (
        "Doses\n\n| Drug | Dose / Adult | Dose / Child |\n| --- | --- | --- |\n"
        "| Ibuprofen | 400 mg | 200 mg |\n| Ibuprofen | 600 mg | a\\|b |"
    )


def test_a_table_in_a_table_stays_in_its_cell_and_one_that_places_things_is_none():
    nested = (
        "<table><tr><th>Ward</th><th>Beds</th></tr>"
        "<tr><td>A</td><td><table><tr><th>Bed</th><th>Free</th></tr><tr><td>1</td><td>yes</td></tr></table></td></tr></table>"
    )
    assert "| A | Bed, Free; 1, yes |" in written(nested)
    assert (
        written("<table role=presentation><tr><td><p>One</p></td><td><p>Two</p></td></tr></table>")
        == "One\n\nTwo"
    )


def test_code_keeps_its_language_its_blanks_and_its_own_fences():
    made = written(
        "<div class='highlight-python notranslate'><div>"
        "<pre><span>def f():</span>\n    return '```'\n</pre></div></div>"
        "<p>Run <code>a_b *c</code>.</p>"
    )
    assert made == "````python\ndef f():\n    return '```'\n````\n\nRun `a_b *c`."


def test_a_listing_with_numbered_lines_is_the_listing():
    made = written(
        "<table><tr><td><pre>1\n2</pre></td><td><pre class='language-sh'>ls\npwd</pre></td></tr></table>"
    )
    assert made == "```sh\nls\npwd\n```"


def test_links_are_absolute_and_pictures_are_what_they_show():
    made = written(
        "<p>See <a href='../x y.html#part'>the rules</a>, <a href='#here'>below</a>, "
        "<a href='javascript:go()'>this</a> and <img src=a.png alt='the red lamp'>.</p>"
    )
    assert made == (
        "See [the rules](https://docs.example.com/x%20y.html), below, this and [picture: the red lamp]."
    )


def test_lists_keep_their_order_and_their_levels():
    made = written("<ol start=3><li>Open<ul><li>by key</li></ul></li><li>Close</li></ol><p>End</p>")
    assert made == "3. Open\n   - by key\n4. Close\n\nEnd"


def test_short_terms_are_a_list_and_long_ones_sections():
    assert written(
        "<dl><dt>STAT</dt><dd>At once.</dd><dt>PRN</dt><dd><p>When needed.</p></dd></dl>"
    ) == ("- **STAT**: At once.\n- **PRN**\n\n  When needed.")
    long = "Serialises an object as text and gives it back to whoever called. " * 6
    made = written(f"<h2>Functions</h2><dl><dt id=dump>dump(o)</dt><dd><p>{long}</p></dd></dl>")
    assert "\n\n### dump(o)\n\nSerialises" in made


def test_a_form_tells_what_it_asks_for_and_nothing_that_was_typed():
    made = written(
        "<form aria-label='New patient'><label for=n>Name</label>"
        "<input id=n required maxlength=40 value='Ann Cohen'>"
        "<label>Ward <select><option>North</option><option selected>South</option></select></label>"
        "<input type=search placeholder='Search drugs'><textarea aria-label=Notes>secret</textarea>"
        "<label><input type=checkbox checked> Urgent</label><button>Save</button></form>"
    )
    for said in (
        "Name [text, required, at most 40 characters]",
        "Ward [choice: North · South]",
        "Search drugs: [search]",
        "Notes: [long text]",
        "[checkbox] Urgent",
        "[button: Save]",
    ):
        assert said in made
    assert "Ann Cohen" not in made
    assert "secret" not in made


def test_what_opens_is_read_with_the_line_that_opens_it():
    assert (
        written("<details><summary>More</summary><p>Hidden rule.</p></details>")
        == "**More**\n\nHidden rule."
    )


@pytest.mark.parametrize(
    "text", ["# no heading", "- no item", "1. no item", "``` no fence", "> no quote", "---"]
)
def test_text_that_looks_like_markup_is_text(text):
    made = written(f"<div id=abc><p>{text}</p></div><p>After</p>")
    first = made.partition("\n")[0]
    assert first != text
    assert first.replace("\\", "") == text
