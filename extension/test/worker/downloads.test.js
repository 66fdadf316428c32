import assert from "node:assert/strict";
import test from "node:test";
import { isAttachment, nameOf } from "../../worker/downloads.js";

const REPORT = "http://site.example/files/report?year=2";

test("a download's name is a name alone", () => {
  for (const [disposition, name] of [
    [`attachment; filename="../../etc/a b.csv"`, "a b.csv"],
    [`attachment; filename*=UTF-8''%C3%9Cnits.csv; filename="units.csv"`, "Ünits.csv"],
    ["ATTACHMENT; filename=plain.csv", "plain.csv"],
    ["attachment", "report"],
    [`attachment; filename="${"x".repeat(5_000)}.csv"`, `${"x".repeat(196)}.csv`],
    [`attachment; filename*=UTF-8''%E0%A4%A; filename=""`, "%E0%A4%A"],
  ]) {
    assert.ok(isAttachment(disposition), disposition);
    assert.equal(nameOf(disposition, REPORT), name);
  }
});
