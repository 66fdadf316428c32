/** The key lives as long as the tab does: never in an address, never in what outlives the tab. */

const NAME = "tabwright.key";

let held = read();

function read() {
  try {
    return sessionStorage.getItem(NAME) ?? "";
  } catch {
    return ""; // storage is refused: the key lives as long as the page
  }
}

/** @returns {string} "" for none */
export const key = () => held;

/** @param {string} given */
export function keep(given) {
  held = given;
  try {
    sessionStorage.setItem(NAME, given);
  } catch {
    // as above
  }
}

/** Forgets the key. @param {string} [why] said at the sign-in */
export function signOut(why = "") {
  held = "";
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // as above
  }
  dispatchEvent(new CustomEvent("signed-out", { detail: why }));
}
