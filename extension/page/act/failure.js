// Failures of actions: the contract's codes, and messages that help to choose the next action.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "ActionFailure")) return;

  page.ActionFailure = class ActionFailure extends Error {
    /** @param {ActionCode} code @param {string} message */
    constructor(code, message) {
      super(message);
      this.code = code;
    }
  };
})();
