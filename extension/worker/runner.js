/** @param {Record<string, any>} items whether they hold a run that has not ended */
function holdLiveRun(items) {
  return Object.keys(items).some((key) => key.startsWith("run_") && items[key].phase !== "ended");
}

/**
 * Starts the runner again if it is gone while a run is live. Nothing ticks for this: it is called
 * when a page loses its line to the runner, when a page loads, and when the browser or the
 * extension starts.
 */
export async function reviveRunner() {
  if (await chrome.offscreen.hasDocument()) return;
  if (holdLiveRun(await chrome.storage.local.get(null))) await ensureRunner();
}

/**
 * Names this life of the extension: another one after the browser was restarted or the extension
 * reloaded, since `storage.session` ends with both.
 *
 * @returns {Promise<string>}
 */
export async function extensionLife() {
  const { life: known } = await chrome.storage.session.get("life");
  if (typeof known === "string") return known;
  const made = crypto.randomUUID();
  await chrome.storage.session.set({ life: made });
  return made;
}

/**
 * Keeps Chrome from discarding a tab to save memory while a run works in it, or lets it again.
 *
 * @param {{tabId: number, keep: boolean}} params
 */
export async function keepTab({ tabId, keep }) {
  await chrome.tabs.update(tabId, { autoDiscardable: !keep });
}

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
