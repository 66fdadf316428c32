// Date pickers: confirms a typed date, or turns to the month and presses the day if the field takes no typing.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "pickDay")) return;

  const MIN_CELLS = 10; // numbers that appear together: days, hours or minutes
  const OPEN_MS = 700; // for a picker that fades in
  const TURN_MS = 300; // a press on "next" shows another month within this time
  const MAX_TURNS = 600; // months: fifty years
  const MONTHS = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
  const YEAR = /\b(?:19|20)\d\d\b/;
  const CLICKABLE = "button,a,[role=button],[tabindex],[onclick],[class*=next],[class*=prev],[aria-label],[title]";

  /** @typedef {{el: Element, day: number, iso: string | null, outside: boolean}} Cell */

  /** New texts that are numbers of one or two digits. @param {ReadonlySet<Element>} before @returns {Element[]} */
  const numbers = (before) => [...page.shownTexts()].filter((el) => !before.has(el) && /^\d{1,2}$/.test(page.collapse(el.textContent)));

  /** Whether a picker has appeared. @param before the texts shown earlier */
  page.pickerSince = (before) => numbers(before).length >= MIN_CELLS;

  /**
   * Confirms the typed date in a picker: by Enter, and by leaving the field if it stays open. Enter is only dispatched, not
   * carried out: it submits no form here.
   * @param before the texts shown before it opened
   */
  page.commitPicker = async (el, before) => {
    const enter = /** @type {Chord} */ (page.parseChord("Enter"));
    page.fireKey(el, "keydown", enter);
    page.fireKey(el, "keyup", enter);
    if (await page.until(() => !page.pickerSince(before), TURN_MS)) return;
    page.pressBeside();
    await page.tick();
  };

  /** The date in a cell's attributes or its container's; null if there is none. @param {Element} el */
  function isoOf(el) {
    for (let up = /** @type {Element | null} */ (el), level = 0; up && level < 3; up = page.parentOf(up), level += 1) {
      for (const key of ["aria-label", "title", "data-date", "data-day", "datetime", "data-value"]) {
        const iso = page.parseDate((up.getAttribute(key) ?? "").replace(/^[a-z]+day,? /i, "").replace(/^(choose|select) /i, ""));
        if (iso) return iso;
      }
    }
    return null;
  }

  /** @param {Element[]} found @returns {Cell[]} */
  function cellsOf(found) {
    let begun = false;
    let ended = false;
    return found.map((el) => {
      const day = Number(el.textContent);
      if (day === 1) [begun, ended] = [true, begun]; // the second "1" begins the next month
      return { el, day, iso: isoOf(el), outside: !begun || ended };
    });
  }

  /** The whole picker: the element with all cells, a month and a year. @param {Element[]} found */
  function frameOf(found) {
    for (let up = page.parentOf(found[0]); up && up !== document.body; up = page.parentOf(up)) {
      if (up.contains(found[found.length - 1]) && shownMonth(up)) return up;
    }
    return null;
  }

  /** The first month shown, counted from year 0. @param {Element} frame @returns {number | null} */
  function shownMonth(frame) {
    const fields = [...frame.querySelectorAll("select,input")].map((el) => (el.localName === "select" ? (/** @type {HTMLSelectElement} */ (el).selectedOptions[0]?.text ?? "") : /** @type {HTMLInputElement} */ (el).value));
    const text = `${fields.join(" ")} ${page.textOf(frame, { max: 400, skip: (el) => el.localName === "select" || /^\s*\d{1,2}\s*$/.test(el.textContent ?? "") })}`;
    const [month, year] = [text.match(MONTHS)?.[1], text.match(YEAR)?.[0]];
    if (!month || !year) return null;
    const iso = page.parseDate(`1 ${month} ${year}`);
    return iso ? Number(iso.slice(0, 4)) * 12 + Number(iso.slice(5, 7)) - 1 : null;
  }

  /** The button for the next or previous month, not the year's. @param {Element} frame @param {1 | -1} by @returns {Element | null} */
  function turner(frame, by) {
    const wanted = by > 0 ? /next|forward|^\s*[>›→▶]\s*$/i : /prev|back|^\s*[<‹←◀]\s*$/i;
    const found = [...frame.querySelectorAll(CLICKABLE)].filter(page.isShown).filter((el) => {
      const says = [page.collapse(el.textContent), el.getAttribute("aria-label") ?? "", el.getAttribute("title") ?? ""];
      const all = [...says, el.getAttribute("class") ?? ""];
      return all.some((text) => text.length < 120 && wanted.test(text)) && !all.some((text) => /year|super|double|decade|day-?(outside|other)|nextMonthDay|prevMonthDay/i.test(text)) && !/^\d+$/.test(says[0]);
    });
    return found.find((el) => !found.some((other) => other !== el && el.contains(other))) ?? null;
  }

  /** @param {readonly Cell[]} cells @param {string} iso @param {number | null} month */
  function dayCell(cells, iso, month) {
    const [year, number, day] = iso.split("-").map(Number);
    const labelled = cells.find((cell) => cell.iso === iso);
    if (labelled) return labelled;
    if (cells.some((cell) => cell.iso !== null) || month !== year * 12 + number - 1) return null;
    return cells.find((cell) => !cell.outside && cell.day === day) ?? null;
  }

  /** Turns one month towards the day. @param {Element} frame @param {number} month @param {string} iso @returns {Promise<boolean>} */
  async function turn(frame, month, iso) {
    const wanted = Number(iso.slice(0, 4)) * 12 + Number(iso.slice(5, 7)) - 1;
    const button = wanted === month ? null : turner(frame, wanted > month ? 1 : -1);
    if (!button) return false;
    const point = page.reachablePoint(button, button);
    if (!point) return false;
    page.press(point);
    return (await page.until(() => !frame.isConnected || shownMonth(frame) !== month, TURN_MS)) !== null;
  }

  /**
   * Opens the picker of a field that takes no typing and selects a day.
   * @param iso yyyy-mm-dd @throws {ActionFailure} NOT_INTERACTABLE if no calendar opens, VALUE_NOT_ACCEPTED
   */
  page.pickDay = async (target, iso) => {
    const before = page.shownTexts();
    const was = /** @type {HTMLInputElement} */ (target.el).value;
    page.press(await page.reach(target));
    const opened = await page.until(() => page.pickerSince(before), OPEN_MS);
    if (!opened) throw new page.ActionFailure("NOT_INTERACTABLE", `"${target.name}" is read-only and opens no calendar.`);
    for (let turned = 0; turned < MAX_TURNS; turned += 1) {
      const found = numbers(before);
      const frame = found.length ? frameOf(found) : null;
      if (!frame) break;
      const month = shownMonth(frame);
      const cell = dayCell(cellsOf(found.filter((el) => frame.contains(el))), iso, month);
      if (cell) return pressDay(target, cell.el, iso, was);
      if (month === null || !(await turn(frame, month, iso))) break;
    }
    throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `The calendar of "${target.name}" could not be turned to ${iso}.`);
  };

  /** @param {Target} target @param {Element} cell @param {string} iso @param {string} was */
  async function pressDay({ el, name }, cell, iso, was) {
    page.press(await page.reach({ el: cell, role: "el", name: iso }));
    const input = /** @type {HTMLInputElement} */ (el);
    const took = await page.until(() => !el.isConnected || input.value !== was || page.parseDate(input.value) === iso, TURN_MS);
    if (!took) throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `"${name}" did not take the day ${iso}.`);
    return { note: `It holds "${page.clip(input.value, 40)}".` };
  }
})();
