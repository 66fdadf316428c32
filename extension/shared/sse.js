/**
 * Reads server-sent events from text that arrives in any pieces.
 *
 * @param {(data: string) => void} onData called with each event's data, lines joined by "\n"
 * @returns {{push: (text: string) => void}}
 */
export function createSseParser(onData) {
  let rest = "";
  /** @type {string[]} */
  let data = [];

  /** @param {string} line */
  function take(line) {
    if (line === "") {
      if (data.length > 0) onData(data.join("\n"));
      data = [];
    } else if (line.startsWith("data:")) {
      data.push(line.slice(line[5] === " " ? 6 : 5));
    }
  }

  return {
    push(text) {
      rest += text;
      // A "\r" at the very end may be half of "\r\n": it is left for the next piece.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = /** @type {string} */ (lines.pop());
      for (const line of lines) take(line);
    },
  };
}
