/** Why something cannot be done, with a code that the runner acts on. */
export class Refusal extends Error {
  /** @param {string} code @param {string} message @param {string} [origin] */
  constructor(code, message, origin) {
    super(message);
    this.code = code;
    this.origin = origin;
  }
}
