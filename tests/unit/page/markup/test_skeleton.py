"""What the server makes of a page that came as HTML alone."""

from app.domain.page import MASK
from app.page.markup import CUT, clean_markup, outline_markup

FORM = """<!doctype html><html><head><title>Sign in &amp; go</title><style>b { color: red }</style>
<script>if (a < b) document.write("<button>Fake</button>")</script></head><body><h1>Welcome</h1>
<div class="outer"><p>Some <i>text</i> to read.</p><form aria-label="Sign in" onsubmit="go()">
<label>User <input name="user" value='first "one"' data-llm-id="14"></label>
<label>Password <input type="password" value="hunter2" data-copy="hunter2" data-llm-id="15"></label>
<input aria-label="Again" autocomplete="section-a new-password" value="hunter3">
<input type="hidden" name="csrf" value="token-9">
<select aria-label="Role" data-llm-id="2:3"><option value="n">Nurse<option selected>Doctor</select>
<label><input type=checkbox name=stay checked> Stay</label>
<textarea aria-label="Note">a &lt; b</textarea>
<button type="button">Enter <svg><path d="M0 0 L9 9"/></svg></button></form></div>
<!-- remark <button>Commented</button> --></body></html>"""
SECRETS = ("hunter", "token-9", "go()", "color", "Fake", "remark", "Commented")


def test_controls_with_their_ids_labels_and_state():
    made = outline_markup(FORM)
    assert "<h1>Welcome</h1>" in made
    assert '<form aria-label="Sign in">' in made
    assert 'User <input data-llm-id="14"' in made
    assert 'value="first &quot;one&quot;"' in made
    assert 'data-llm-id="2:3"' in made
    assert "<option selected>Doctor</option>" in made
    assert '<input type="checkbox" name="stay" checked>' in made
    assert "a &lt; b" in made
    assert ">Enter </button>" in made
    assert made.count("<button") == 1


def test_what_is_no_control_is_left_out():
    made = outline_markup(FORM)
    assert "to read" not in made
    assert "outer" not in made
    assert "M0 0" not in made


def test_no_secret_no_script_and_no_comment_in_any_form():
    for made in (outline_markup(FORM), clean_markup(FORM, 10_000)):
        for hidden in SECRETS:
            assert hidden not in made, hidden
        assert made.count(f'value="{MASK}"') == 2


def test_an_empty_password_field_is_not_masked():
    assert MASK not in outline_markup("<input type=password value=''><input type=password>")


def test_hidden_parts_are_left_out_also_where_end_tags_are():
    page = """<div hidden><div><button>A</button></div><button>B</button></div>
    <p style="display: none">x<button>C</button></p><section aria-hidden=true><a href=x>D</a></section>
    <ul><li hidden>gone <button>E</button><li><button>Seen</button></ul>"""
    made = outline_markup(page)
    assert "<button>Seen</button>" in made
    assert made.count("<button") == 1
    assert "<a" not in made


def test_a_row_tells_whose_button_it_is():
    page = "".join(
        f"<tr><td><input type=checkbox><td>{name}<td>{age}<td><button>Edit</button></tr>"
        for name, age in (("Karin", 41), ("Diego", 9))
    )
    made = outline_markup(
        f"<p>Noise</p><table><tr><th>Patient<th>Age</tr>{page}</table>"
    ).splitlines()
    assert made[0].endswith('<tr><input type="checkbox"> Karin 41 <button>Edit</button></tr>')
    assert made[1] == '<tr><input type="checkbox"> Diego 9 <button>Edit</button></tr>'
    before = outline_markup(
        "<ul><li>Karin <b>Kowalski</b><a href=/e>Edit</a><li>Diego<a href=/f>Edit</a></ul>"
    )
    assert "<li>Karin Kowalski <a" in before
    assert "<li>Diego <a" in before


def test_a_long_page_is_cut_and_stays_whole_html():
    page = "<table>" + "<tr><td>Žofia 患者<td><button>Edit</button>" * 5_000 + "</table>"
    for made in (outline_markup(page, 2_000), clean_markup(page, 2_000)):
        assert len(made) <= 2_000
        assert made.endswith(CUT)
        assert made.count("<button>") == made.count("</button>") > 10
        assert made.count("<table>") == made.count("</table>") == 1


def test_a_long_list_shows_its_first_options():
    options = "".join(f"<option>Country {n}" for n in range(300))
    made = outline_markup(f"<select>{options}</select><button>Go</button>")
    assert made.count("<option") == 20
    assert "<button>Go</button>" in made


def test_addresses_that_hold_code_or_data_are_shortened():
    made = outline_markup(
        f'<a href="data:text/html,{"x" * 5_000}">a</a><a href=" JavaScript:evil()">b</a>'
    )
    assert 'href="data:"' in made
    assert "evil" not in made


def test_nothing_comes_of_nothing():
    for empty in ("", "   ", "just text", "<", "<!--", "</p>", "<p", "<script>", "&amp;", "<>"):
        assert "<" not in outline_markup(empty), empty


def test_markup_in_text_stays_text():
    made = outline_markup("<button>&lt;button data-llm-id=&quot;9&quot;&gt;</button>")
    assert made.count("<button") == 1
    assert "data-llm-id" not in made.split(">")[0]


def test_the_whole_page_keeps_its_words_and_what_is_hidden():
    made = clean_markup(FORM + "<div hidden>Not shown <b>yet</b></div>", 10_000)
    assert "<p>Some <i>text</i> to read.</p>" in made
    assert "<div hidden>Not shown <b>yet</b></div>" in made
    assert 'class="outer"' in made
    assert 'data-llm-id="14"' in made
