"""What `tabwright recipe` checks before anything starts."""

from pathlib import Path

import pytest

from app.cli.run import children, recipe

RECIPE = {
    "startUrl": "https://crm.example/",
    "parameters": [
        {"name": "name", "label": "Name", "secret": False, "required": True},
        {"name": "pin", "label": "PIN", "secret": True, "required": True},
        {"name": "note", "label": "", "secret": False, "required": False},
    ],
}


def test_values_are_name_and_text() -> None:
    assert recipe._parse_values(["name=Jas=Patel ", "pin="]) == {"name": "Jas=Patel ", "pin": ""}
    with pytest.raises(recipe.RecipeRefused, match="NAME=TEXT"):
        recipe._parse_values(["name"])


def test_asks_for_missing_values_and_hides_secrets() -> None:
    said: list[tuple[str, bool]] = []

    def ask(label: str, secret: bool) -> str:
        said.append((label, secret))
        return "4711"

    assert recipe._complete_values(RECIPE, {"name": "Jas"}, ask) == {"name": "Jas", "pin": "4711"}
    assert said == [("PIN", True)]


def test_lists_missing_values_without_a_terminal() -> None:
    with pytest.raises(recipe.RecipeRefused, match="--value name=…, --value pin=…"):
        recipe._complete_values(RECIPE, {}, None)


def test_rejects_an_unknown_parameter() -> None:
    with pytest.raises(recipe.RecipeRefused, match="nmae"):
        recipe._complete_values(RECIPE, {"nmae": "Jas"}, None)


def test_recipe_that_starts_on_a_record_needs_an_address() -> None:
    assert recipe._start_url(RECIPE) == "https://crm.example/"
    with pytest.raises(recipe.RecipeRefused, match="--url"):
        recipe._start_url(RECIPE | {"startUrl": "https://crm.example/patients/*"})


def test_remembers_the_sites_of_the_bundled_page(tmp_path: Path) -> None:
    assert children.clinic_port(tmp_path, "127.0.0.1:8788") is None
    for _ in range(2):
        children.remember_clinic(tmp_path, "http://127.0.0.1:8788")
    children.remember_clinic(tmp_path, "http://127.0.0.1:40123/")
    assert children.clinic_port(tmp_path, "127.0.0.1:8788") == 8788
    assert children.clinic_port(tmp_path, "127.0.0.1:40123") == 40123
    assert children.clinic_port(tmp_path, "127.0.0.1:3000") is None
    (tmp_path / "bundled-page.json").write_text("{not json", "utf-8")
    assert children.clinic_port(tmp_path, "127.0.0.1:8788") is None
