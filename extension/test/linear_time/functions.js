import { pathToFileURL } from "node:url";
import { JSDOM } from "jsdom";
import ts from "typescript";
import { load } from "../page/load.js";
import { parsed, pathOf, placeOf, scripts, walk } from "./sources.js";

/** @typedef {{ where: string, name: string, count: number, ofPage: boolean }} Found a function of so many texts */

/** @param {import("typescript").Node | undefined} node @returns {node is import("typescript").ArrowFunction | import("typescript").FunctionExpression | import("typescript").FunctionDeclaration} */
const isFunction = (node) => node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node));

/** @param {import("typescript").ParameterDeclaration} parameter @returns {"text" | "left out" | "other"} a selector is no text: it is ours, and the browser reads it */
function kindOf(parameter) {
  if (parameter.initializer || parameter.dotDotDotToken) return "left out";
  if (/selector/i.test(parameter.name.getText())) return "other";
  if (ts.getJSDocParameterTags(parameter).some((tag) => tag.isBracketed)) return "left out";
  return /^\(?(?:string|unknown)(?: *\| *(?:null|undefined))*\)?$/.test(ts.getJSDocType(parameter)?.getText() ?? "") ? "text" : "other";
}

/** @param {import("typescript").SignatureDeclaration} made @returns {number} how many texts it needs; 0 where it needs other things */
function textsOf(made) {
  const kinds = made.parameters.map(kindOf).filter((kind) => kind !== "left out");
  return kinds.every((kind) => kind === "text") && !made.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ? kinds.length : 0;
}

/** @param {import("typescript").Node} node @returns {boolean} */
const isExported = (node) => ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false);

/** @param {import("typescript").Node} node @returns {{ name: string, made: import("typescript").SignatureDeclaration, ofPage: boolean }[]} the functions it gives to others */
function givenBy(node) {
  if (ts.isFunctionDeclaration(node) && node.name && isExported(node)) return [{ name: node.name.text, made: node, ofPage: false }];
  if (ts.isVariableStatement(node) && isExported(node)) {
    return node.declarationList.declarations.flatMap(({ name, initializer }) => (isFunction(initializer) ? [{ name: name.getText(), made: initializer, ofPage: false }] : []));
  }
  const isGiven = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isPropertyAccessExpression(node.left) && node.left.expression.getText() === "page";
  return isGiven && isFunction(node.right) ? [{ name: node.left.name.text, made: node.right, ofPage: true }] : [];
}

/** @returns {Found[]} every function of the scripts that others call with texts alone */
export function everyFunction() {
  /** @type {Found[]} */
  const found = [];
  for (const path of scripts()) {
    walk(parsed(path), (node) => {
      for (const { name, made, ofPage } of givenBy(node)) {
        const count = textsOf(made);
        if (count) found.push({ where: `${placeOf(node)} ${name}`, name, count, ofPage });
      }
    });
  }
  return found;
}

/** A browser as far as the scripts need one to be read. @returns {(run: () => unknown) => boolean} whether something makes elements, which takes a browser's time and not ours */
function pretend() {
  const { window } = new JSDOM("<!doctype html><body></body>", { url: "http://page.test/" });
  const nothing = /** @type {any} */ (new Proxy(() => nothing, { get: (_, key) => (key === "then" || key === Symbol.toPrimitive || key === Symbol.iterator ? undefined : nothing) }));
  Object.assign(globalThis, { window, document: window.document, location: window.location, Node: window.Node, Text: window.Text, Element: window.Element, HTMLElement: window.HTMLElement, DocumentFragment: window.DocumentFragment, chrome: nothing, fetch: () => new Promise(() => {}) });
  let made = 0;
  for (const [owner, method] of /** @type {[any, string][]} */ ([[window.Document.prototype, "createElement"], [window.DOMParser.prototype, "parseFromString"], [window.Document.prototype, "createTreeWalker"], [window.Document.prototype, "createNodeIterator"]])) {
    const given = owner[method];
    owner[method] = function (/** @type {unknown[]} */ ...values) {
      made += 1;
      return given.apply(this, values);
    };
  }
  return (run) => {
    made = 0;
    try {
      run();
    } catch {
      // It may refuse the text.
    }
    return made > 0;
  };
}

/** @param {Found[]} found @returns {Promise<{ runs: { where: string, run: (text: string) => unknown }[], unread: string[] }>} `unread`: those that only a browser can be asked about */
export async function runnable(found) {
  const makesElements = pretend();
  const { page } = load();
  const [runs, unread] = [[], []];
  for (const { where, name, count, ofPage } of found) {
    const path = where.slice(0, where.indexOf(":"));
    const module = ofPage ? page : await import(pathToFileURL(pathOf(path)).href).catch(() => null);
    const run = (/** @type {string} */ text) => {
      const made = module[name](...Array(count).fill(text));
      if (made instanceof Promise) made.catch(() => {}); // what would ask a server or a person finds none
    };
    if (typeof module?.[name] !== "function" || makesElements(() => run("Some *words*"))) unread.push(where);
    else runs.push({ where, run });
  }
  return { runs, unread };
}
