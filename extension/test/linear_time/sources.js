import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FOLDERS = ["page", "runner", "worker", "panel", "options"].map((folder) => join("extension", folder)).concat(join("app", "console"));

/** @returns {string[]} every script of ours that a browser runs, from the root of the repository */
export const scripts = () =>
  FOLDERS.flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(".js"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => !path.split("/").includes("vendor"))
    .sort();

/** @param {string} path from the root @returns {string} */
export const pathOf = (path) => join(ROOT, path);

/** @param {string} path from the root @returns {import("typescript").SourceFile} */
export const parsed = (path) => ts.createSourceFile(path, readFileSync(pathOf(path), "utf8"), ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);

/** @param {import("typescript").Node} node @param {(node: import("typescript").Node) => void} visit */
export function walk(node, visit) {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** @param {import("typescript").Node} node @returns {string} file:line */
export function placeOf(node) {
  const file = node.getSourceFile();
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}
