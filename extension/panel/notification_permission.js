import { element } from "./element.js";

/** @type {chrome.permissions.Permissions} */
const NOTIFICATIONS = { permissions: ["notifications"] };

/** @returns {Promise<boolean>} whether notifications about open questions are allowed */
export const mayNotify = () => chrome.permissions.contains(NOTIFICATIONS);

/** @param {boolean} wanted must be called from a click of the person @returns {Promise<boolean>} whether they are allowed now */
export async function setNotify(wanted) {
  await (wanted ? chrome.permissions.request(NOTIFICATIONS) : chrome.permissions.remove(NOTIFICATIONS)).catch(() => false);
  await chrome.storage.local.set({ notifyOffered: true });
  return mayNotify();
}

/** @param {HTMLElement} box shows the offer of notifications until it was answered once */
export async function offerNotifications(box) {
  const { notifyOffered } = await chrome.storage.local.get("notifyOffered");
  if (notifyOffered || (await mayNotify()) || !box.isConnected || box.hasChildNodes()) return;
  const wish = element("button", { type: "button", class: "quiet", "data-testid": "notify-offer" }, "Notify me when a question is waiting");
  wish.addEventListener("click", async () => {
    const may = await setNotify(true);
    box.replaceChildren(may ? "You will get a notification." : "You can turn this on in the settings.");
  });
  box.append(wish);
}
