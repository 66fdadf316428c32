/** What can take the person to another page: there, a document that goes away is the effect. */
export const LEAVES = new Set(["click", "clickAt", "doubleClick", "press", "pressKey", "selectOption", "setChecked", "dragTo", "drag", "draw"]);
