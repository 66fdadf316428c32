import assert from "node:assert/strict";
import test from "node:test";

/** The parts of Chrome that notifications need. */
const chromium = {
  granted: true,
  focused: false,
  shown: /** @type {Record<string, any>} */ ({}),
  done: /** @type {string[]} */ ([]),
  click: /** @type {(id: string) => void} */ (() => {}),
};

Object.assign(globalThis, {
  chrome: {
    runtime: { getURL: (/** @type {string} */ path) => path },
    permissions: { contains: async () => chromium.granted, onAdded: { addListener: () => undefined } },
    tabs: {
      get: async () => ({ windowId: 3 }),
      update: async (/** @type {number} */ id) => (chromium.done.push(`tab ${id}`), { windowId: 3 }),
    },
    windows: {
      get: async () => ({ focused: chromium.focused }),
      update: async (/** @type {number} */ id) => void chromium.done.push(`window ${id}`),
    },
    sidePanel: { open: async (/** @type {{tabId: number}} */ { tabId }) => void chromium.done.push(`panel ${tabId}`) },
    notifications: {
      create: async (/** @type {string} */ id, /** @type {any} */ what) => void (chromium.shown[id] = what),
      clear: async (/** @type {string} */ id) => void delete chromium.shown[id],
      onClicked: { hasListener: () => false, addListener: (/** @type {any} */ listener) => (chromium.click = listener) },
    },
  },
});

const { NOTIFICATION_HANDLERS } = await import("../../worker/notifications.js");
const asked = { tabId: 7, approval: false, site: "a.example", inPanel: true };
const show = NOTIFICATION_HANDLERS["notify.question"];

test("a notification comes where nobody sees the question, and names nothing but the site", async () => {
  chromium.focused = true;
  assert.equal(await show(asked), false);
  assert.equal(await show({ ...asked, inPanel: false }), true);
  chromium.focused = false;
  assert.equal(await show(asked), true);
  assert.deepEqual(Object.keys(chromium.shown), ["question:7"]);
  assert.equal(chromium.shown["question:7"].message, "Tabwright is waiting for you on a.example.");
  await NOTIFICATION_HANDLERS["notify.clear"]({ tabId: 7 });
  assert.deepEqual(chromium.shown, {});
});

test("who did not allow it gets none", async () => {
  chromium.granted = false;
  assert.equal(await show({ ...asked, inPanel: false }), false);
  assert.deepEqual(chromium.shown, {});
  chromium.granted = true;
});

test("a click opens the panel first, while Chrome takes it for the person's own, and shows the tab", async () => {
  await show({ ...asked, inPanel: false });
  chromium.click("another's");
  chromium.click("question:7");
  assert.equal(chromium.done[0], "panel 7");
  await new Promise((go) => setTimeout(go));
  assert.deepEqual([chromium.done, chromium.shown], [["panel 7", "tab 7", "window 3"], {}]);
});
