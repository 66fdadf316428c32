import assert from "node:assert/strict";
import test from "node:test";
import { load, plain } from "./load.js";

const { page } = load();

test("the tone of a message in each language", () => {
  const bad = ["Could not save", "Nicht gespeichert", "Ungültige Eingabe", "Veuillez saisir un nom", "Adresse introuvable", "Campo obligatorio", "Não foi possível salvar", "שגיאה בשמירה", "Not saved", "2 errors found", "Please specify a recipient", "Please accept the terms"];
  const good = ["Saved", "Erfolgreich gespeichert", "Patient créé", "Guardado correctamente", "Cadastro concluído", "הפרטים נשמרו", "Saved with 0 errors", "Ohne Fehler gespeichert"];
  const neither = ["12 results", "Loading", "3 Einträge", "Mustard", "Page 2 of 3", "Terrors of the deep", "Please wait"];
  assert.deepEqual(bad.filter((text) => page.toneOf(text) !== "error"), []);
  assert.deepEqual(good.filter((text) => page.toneOf(text) !== "success"), []);
  assert.deepEqual(neither.filter((text) => page.toneOf(text) !== ""), []);
});

test("many changes of one place are told together", () => {
  /** @param {number} at @param {string} g @returns {V3Node} */
  const node = (at, g) => ({ i: String(at), r: "btn", n: "Edit", g });
  const rows = Array.from({ length: 6 }, (_, at) => node(at, `list: Patients > row: P${at}`));
  assert.deepEqual(plain(page.describeChanges([], rows)), ["added: 6 rows in list: Patients"]);
  assert.deepEqual(plain(page.describeChanges(rows, rows.map((row) => ({ ...row, i: `9${row.i}` })))), []);
  const fields = Array.from({ length: 5 }, (_, at) => ({ ...node(at, "dialog: New > form"), n: `F${at}` }));
  assert.deepEqual(plain(page.describeChanges(fields, [])), ['removed: btn "F0", btn "F1", btn "F2" and 2 more in dialog: New > form']);
});

test("where a summary is too long, navigation goes first, then what is farthest", () => {
  const line = (/** @type {string} */ name, away = 0, frame = false) => ({ text: `${name}${"x".repeat(1_500)}`, heading: false, away, frame });
  const text = page.joinSummary("T", [line("nav", 0, true), line("far", 300), line("here"), line("near", 50)]);
  assert.deepEqual([...text.matchAll(/^(nav|far|here|near)x/gm)].map(([, name]) => name), ["far", "here", "near"]);
  assert.ok(text.length <= 4_000);
});

test("fields that are secret", () => {
  const { page: own, document } = load(`<input type=password><input autocomplete="section-a new-password"><input autocomplete="billing cc-number"><input name=cardNumber><input id=user_password>
    <input name=discard><input name=postcode><input autocomplete=cc-name><textarea></textarea>`);
  assert.deepEqual([...document.body.children].map((el) => own.isWithheld(el)), [true, true, true, true, true, false, false, false, false]);
});
