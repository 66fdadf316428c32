const RUNNER = "runner/index.html";

/** Makes sure that the runner exists; safe to call at once from several places. */
export async function ensureRunner() {
  if (await chrome.offscreen.hasDocument()) return;
  try {
    await chrome.offscreen.createDocument({
      url: RUNNER,
      reasons: [chrome.offscreen.Reason.WORKERS],
      justification: "Carries out the tasks that the person asked for, also while the panel is closed.",
    });
  } catch (error) {
    // Two calls may both have found none: the second to create one is refused, and that is fine.
    if (!(await chrome.offscreen.hasDocument())) throw error;
  }
}

/** @param {string} name @param {object} params tells the runner, if there is one */
export async function tellRunner(name, params = {}) {
  if (!(await chrome.offscreen.hasDocument())) return;
  await chrome.runtime.sendMessage({ to: "runner", name, ...params }).catch(() => undefined);
}
