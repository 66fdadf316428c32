/** @param {Record<string, any>} items of storage @returns {boolean} whether a run has not ended */
function holdLiveRun(items) {
  return Object.keys(items).some((key) => key.startsWith("run_") && items[key].phase !== "ended");
}

/**
 * Restarts the runner if it died during a run. No timer does this: it is called when a page loses its port to the runner, when a
 * page loads, and when the browser or the extension starts.
 */
export async function reviveRunner() {
  if (await chrome.offscreen.hasDocument()) return;
  if (holdLiveRun(await chrome.storage.local.get(null))) await ensureRunner();
}

/**
 * An id that changes when the browser restarts or the extension reloads, since `storage.session` ends with both.
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
 * Forbids or allows Chrome to discard a tab to save memory; forbidden while a run works in it.
 *
 * @param {{tabId: number, keep: boolean}} params
 */
export async function keepTab({ tabId, keep }) {
  await chrome.tabs.update(tabId, { autoDiscardable: !keep });
}

const RUNNER = "runner/index.html";

/** Creates the runner if it does not exist. Safe to call concurrently. */
export async function ensureRunner() {
  if (await chrome.offscreen.hasDocument()) return;
  try {
    await chrome.offscreen.createDocument({
      url: RUNNER,
      reasons: [chrome.offscreen.Reason.WORKERS],
      justification: "Runs the tasks that the user asked for, also while the panel is closed.",
    });
  } catch (error) {
    // Two concurrent calls may both have found none; the second creation is refused, which is fine.
    if (!(await chrome.offscreen.hasDocument())) throw error;
  }
}
