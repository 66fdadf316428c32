/** @import { RequestObservations, PlannedAction } from "../../types/wire" */
/** @import { Run } from "../../types/run" */
/** @import { ModeFields } from "./page_forms.js" */

/**
 * The body of an interact request. It is stored as text, so that a repeat is identical to the byte (storage sorts keys).
 *
 * @param {Run} run @param {PageObservation} page @param {string} requestId
 * @param {Partial<ModeFields>} [form] the page in another form, if the server asked for one
 */
export function requestBody(run, page, requestId, form = {}) {
  const { tree, title, nextId, extractMs, stillLoading, ...seen } = page;
  /** @type {RequestObservations | undefined} */
  const clientObservations = stillLoading ? { ...run.feedback.clientObservations, stillLoading } : undefined;
  return JSON.stringify({
    requestId,
    ...(run.told ? {} : { query: run.goal }),
    ...(run.taskId ? { ...run.beginning, delegationId: undefined, taskId: run.taskId } : run.beginning),
    ...(run.sessionId ? { sessionId: run.sessionId } : {}),
    pageTitle: title,
    domMode: "semantic_v3",
    interactiveTree: tree,
    ...seen,
    ...run.feedback,
    ...(clientObservations ? { clientObservations } : {}),
    ...form,
  });
}

/** Whether it is collapsed and not part of a tree: menus, dropdowns and sections, often without `haspopup`. @param {V3Node} node */
const isClosed = ({ r, s }) => r !== "tree" && r !== "row" && s?.includes("collapsed");

/** @param {PageObservation} page @returns {Set<string>} ids of the controls that open something when clicked */
export function popupOpeners(page) {
  return new Set(page.tree.filter((node) => node.s?.includes("haspopup") || isClosed(node)).map((node) => node.i));
}

const MASK = "••••••";

/** The roles of CONTRACT in words; others are "element". @type {Record<string, string>} */
const ROLE_WORDS = {
  btn: "button",
  link: "link",
  inp: "field",
  chk: "checkbox",
  rad: "radio button",
  sel: "list",
  opt: "option",
  tab: "tab",
  menu: "menu item",
  row: "row",
  img: "image",
  range: "slider",
  file: "file field",
};

/** @param {string} body @returns {Map<unknown, V3Node>} the nodes of the page, by id */
function nodesOf(body) {
  return new Map(JSON.parse(body).interactiveTree.map((/** @type {V3Node} */ node) => [node.i, node]));
}

/**
 * The actions as they may be shown and stored: text for password fields is masked.
 *
 * @param {string} body the request that the actions answer @param {PlannedAction[]} actions
 * @returns {PlannedAction[]}
 */
export function withoutSecrets(body, actions) {
  const nodes = nodesOf(body);
  return actions.map((item) => {
    const { id, text } = item.actionDetails.args;
    if (nodes.get(id)?.t !== "password" || typeof text !== "string" || text === "") return item;
    const hide = (/** @type {string} */ words) => words.replaceAll(text, MASK);
    return { ...item, action: `${item.actionDetails.name}("${id}", "${MASK}")`, description: hide(item.description) };
  });
}

/**
 * The elements that the actions target, in words: "button 'Save' in form: New patient".
 *
 * @param {string} body the request that the actions answer @param {PlannedAction[]} actions
 * @returns {Record<string, string>} by actionId
 */
export function elementsOf(body, actions) {
  const nodes = nodesOf(body);
  /** @type {Record<string, string>} */
  const found = {};
  for (const { actionId, actionDetails } of actions) {
    const node = nodes.get(actionDetails.args.id);
    if (!node) continue;
    const place = node.g ? ` in ${node.g}` : "";
    found[actionId] = `${ROLE_WORDS[node.r] ?? "element"} '${node.n ?? ""}'${place}`;
  }
  return found;
}
