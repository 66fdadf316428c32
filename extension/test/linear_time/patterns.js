import ts from "typescript";
import { parsed, placeOf, scripts, walk } from "./sources.js";

/**
 * @typedef {{ where: string, source: string, flags: string }} Pattern one that the sources spell out
 * @typedef {{ where: string, text: string }} Composed one whose source is made while the script runs
 */

const METHODS = new Map([["match", "g"], ["matchAll", "g"], ["search", ""]]); // these make a pattern of a string

/** What a constant expression of strings, templates and names of constants says; null when it holds anything else. */
class Constants {
  /** @param {import("typescript").SourceFile} file */
  constructor(file) {
    /** @type {Map<string, import("typescript").Expression | null>} null for a name that is declared twice */
    this.values = new Map();
    walk(file, (node) => {
      if (ts.isParameter(node) && ts.isIdentifier(node.name)) this.values.set(node.name.text, null);
      if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return;
      const isConstant = ts.isVariableDeclarationList(node.parent) && (node.parent.flags & ts.NodeFlags.Const) !== 0 && node.initializer;
      this.values.set(node.name.text, isConstant && !this.values.has(node.name.text) ? node.initializer : null);
    });
  }

  /** @param {import("typescript").Node | null | undefined} node @returns {string | null} */
  textOf(node) {
    if (!node) return null;
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isParenthesizedExpression(node)) return this.textOf(node.expression);
    if (ts.isIdentifier(node)) return this.textOf(this.values.get(node.text));
    if (ts.isTemplateExpression(node)) return joined([node.head.text, ...node.templateSpans.flatMap((span) => [this.textOf(span.expression), span.literal.text])]);
    if (ts.isCallExpression(node)) return this.#joined(node);
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) return joined([this.textOf(node.left), this.textOf(node.right)]);
    return null;
  }

  /** @param {import("typescript").CallExpression} node @returns {string | null} what `[…].join("…")` says */
  #joined(node) {
    if (!ts.isPropertyAccessExpression(node.expression) || node.expression.name.text !== "join") return null;
    const [list, between] = [node.expression.expression, this.textOf(node.arguments[0])];
    if (!ts.isArrayLiteralExpression(list) || between === null) return null;
    const parts = list.elements.map((element) => this.textOf(element));
    return parts.includes(null) ? null : parts.join(between);
  }
}

/** @param {(string | null)[]} parts @returns {string | null} */
const joined = (parts) => (parts.includes(null) ? null : parts.join(""));

/** @param {string} literal as written: /source/flags @returns {{ source: string, flags: string }} */
function split(literal) {
  const end = literal.lastIndexOf("/");
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) };
}

/** @param {import("typescript").Node} node @returns {node is import("typescript").NewExpression | import("typescript").CallExpression} */
const makesPattern = (node) => (ts.isNewExpression(node) || ts.isCallExpression(node)) && ts.isIdentifier(node.expression) && node.expression.text === "RegExp";

/** @param {import("typescript").Node} node @returns {import("typescript").CallExpression | null} `text.match("…")`, which makes a pattern of its argument */
function matchesString(node) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression) || !METHODS.has(node.expression.name.text)) return null;
  return node.arguments[0] && ts.isStringLiteralLike(node.arguments[0]) ? node : null;
}

/** @param {import("typescript").SourceFile} file @returns {{ patterns: Pattern[], composed: Composed[] }} */
export function patternsIn(file) {
  const constants = new Constants(file);
  /** @type {Pattern[]} */
  const patterns = [];
  /** @type {Composed[]} */
  const composed = [];
  walk(file, (node) => {
    if (ts.isRegularExpressionLiteral(node)) patterns.push({ where: placeOf(node), ...split(node.text) });
    const call = matchesString(node);
    if (call) patterns.push({ where: placeOf(node), source: constants.textOf(call.arguments[0]) ?? "", flags: "" });
    if (!makesPattern(node)) return;
    const [source, flags] = [constants.textOf(node.arguments?.[0]), node.arguments?.[1] ? constants.textOf(node.arguments[1]) : ""];
    if (source === null || flags === null) composed.push({ where: placeOf(node), text: node.getText() });
    else patterns.push({ where: placeOf(node), source, flags });
  });
  return { patterns, composed };
}

/** @returns {{ patterns: Pattern[], composed: Composed[] }} those of every script */
export function everyPattern() {
  const all = scripts().map((path) => patternsIn(parsed(path)));
  return { patterns: all.flatMap(({ patterns }) => patterns), composed: all.flatMap(({ composed }) => composed) };
}
