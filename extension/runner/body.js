/** @import { PageObservation } from "../types/wire" */
/** @import { Run } from "../types/run" */

/**
 * The text of an interact request. It is made once and kept as text, so that a repeat is the same
 * to the byte (storage sorts keys).
 *
 * @param {Run} run @param {PageObservation} page @param {string} requestId
 */
export function requestBody(run, page, requestId) {
  const { tree, title, nextId, extractMs, ...seen } = page;
  return JSON.stringify({
    requestId,
    query: run.goal,
    ...(run.taskId ? { taskId: run.taskId } : {}),
    ...(run.sessionId ? { sessionId: run.sessionId } : {}),
    pageTitle: title,
    domMode: "semantic_v3",
    interactiveTree: tree,
    ...seen,
    ...run.feedback,
  });
}

/** @param {PageObservation} page ids of the controls that open something when clicked */
export function popupOpeners(page) {
  return new Set(page.tree.filter((node) => node.s?.includes("haspopup")).map((node) => node.i));
}
