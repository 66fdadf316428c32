/** A request that the worker cannot fulfil, with a code for the runner. */
export class Refusal extends Error {
  /** @param {string} code @param {string} message @param {string} [origin] */
  constructor(code, message, origin) {
    super(message);
    this.code = code;
    this.origin = origin;
  }
}
