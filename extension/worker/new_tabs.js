import { becameDownload } from "./downloads.js";
import { tellRunner } from "./offscreen.js";

/**
 * Reports to the runner what an act may have set off beside its document: a tab that a page opened,
 * a navigation that came to nothing. Registers its listeners when it is loaded.
 */
chrome.webNavigation.onCreatedNavigationTarget.addListener(({ sourceTabId, tabId }) => {
  void tellRunner("tab.created", { tabId: sourceTabId, created: tabId });
});

chrome.webNavigation.onErrorOccurred.addListener((failed) => {
  const { tabId, frameId, url, error } = failed;
  if (!becameDownload(failed) && frameId === 0) void tellRunner("navigation.failed", { tabId, url, error });
});
