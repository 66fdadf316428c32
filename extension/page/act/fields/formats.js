// Converts what people write to the values of date, time, number and color inputs.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "toInputValue")) return;

  const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

  /** @param {number | string} value @param {number} [width] */
  const pad = (value, width = 2) => String(value).padStart(width, "0");

  /** @param {string | undefined} word */
  const monthOf = (word) => MONTHS.indexOf((word ?? "").slice(0, 3).toLowerCase()) + 1;

  /** A valid day as yyyy-mm-dd; null otherwise. @param {number} year @param {number} month @param {number} day */
  function calendarDay(year, month, day) {
    const date = new Date(Date.UTC(year, month - 1, day));
    return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? `${pad(year, 4)}-${pad(month)}-${pad(day)}` : null;
  }

  /**
   * yyyy-mm-dd of a date as people write it: ISO, mm/dd/yyyy (dd/mm where the first number cannot be a month), dd.mm.yyyy, "12
   * March 1990", "March 12, 1990".
   */
  page.parseDate = (text) => {
    const plain = text.trim();
    let match = plain.match(/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:$|[T ])/);
    if (match) return calendarDay(+match[1], +match[2], +match[3]);
    match = plain.match(/^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})/);
    if (match) {
      const dayFirst = match[2] === "." || +match[1] > 12;
      return dayFirst ? calendarDay(+match[4], +match[3], +match[1]) : calendarDay(+match[4], +match[1], +match[3]);
    }
    match = plain.match(/^(\d{1,2})(?:st|nd|rd|th)?(?: of)?[ -]([a-z]{3,})\.?,?[ -](\d{4})/i);
    if (match && monthOf(match[2])) return calendarDay(+match[3], monthOf(match[2]), +match[1]);
    match = plain.match(/^([a-z]{3,})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})/i);
    return match && monthOf(match[1]) ? calendarDay(+match[3], monthOf(match[1]), +match[2]) : null;
  };

  /** hh:mm of "3:30 pm", "15:30", "3 PM"; null for none. */
  page.parseTime = (text) => {
    const match = text.match(/(?:^|[T\s,])(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s*([ap])?\.?m?\.?$/i);
    if (!match || (!match[2] && !match[4])) return null;
    const hour = match[4] ? (+match[1] % 12) + (match[4].toLowerCase() === "p" ? 12 : 0) : +match[1];
    const minute = +(match[2] ?? 0);
    return hour < 24 && minute < 60 ? `${pad(hour)}:${pad(minute)}${match[3] && match[3] !== "00" ? `:${match[3]}` : ""}` : null;
  };

  /** @param {string} text */
  function parseMonth(text) {
    const iso = text.match(/^(\d{4})-(\d{1,2})/);
    if (iso) return `${iso[1]}-${pad(iso[2])}`;
    const named = text.match(/^([a-z]{3,})\.?,? (\d{4})$/i);
    if (named && monthOf(named[1])) return `${named[2]}-${pad(monthOf(named[1]))}`;
    const numbers = text.match(/^(\d{1,2})\/(\d{4})$/);
    return numbers ? `${numbers[2]}-${pad(numbers[1])}` : (page.parseDate(text)?.slice(0, 7) ?? null);
  }

  /** A number without separators and units. @param {string} text */
  function parseNumber(text) {
    const bare = text.trim().replace(/^[$€£]\s*/, "").replace(/[\s,](?=\d{3}(\D|$))/g, "");
    return bare.endsWith("%") ? bare.slice(0, -1).trimEnd() : bare;
  }

  /** yyyy-Www of "week 14 of 2026" in any language, or of a day in it (ISO 8601: the week of a year's first Thursday is its first). @param {string} text */
  function parseWeek(text) {
    const day = page.parseDate(text);
    if (day) {
      const thursday = new Date(`${day}T12:00Z`);
      thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
      const since = (+thursday - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / 86_400_000;
      return `${thursday.getUTCFullYear()}-W${pad(Math.floor(since / 7) + 1)}`;
    }
    const numbers = text.match(/\d+/g) ?? [];
    const [year, week] = [numbers.find((one) => one.length === 4), numbers.find((one) => one.length < 3 && +one >= 1 && +one <= 53)];
    return numbers.length === 2 && year && week ? `${year}-W${pad(+week)}` : null;
  }

  /** #rrggbb of any CSS color. @param {string} text */
  function parseColor(text) {
    if (!CSS.supports("color", text)) return null;
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    if (!context) return null;
    context.fillStyle = text;
    return String(context.fillStyle);
  }

  /** @type {Record<string, (text: string) => string | null>} */
  const PARSERS = {
    date: page.parseDate,
    time: page.parseTime,
    month: (text) => parseMonth(text.trim()),
    week: parseWeek,
    "datetime-local": (text) => {
      const [day, time] = [page.parseDate(text), page.parseTime(text)];
      return day && `${day}T${time ?? "00:00"}`;
    },
    number: parseNumber,
    range: parseNumber,
    color: parseColor,
  };

  const FIELD_FORMAT = /(?<![a-z])(d{1,2}|m{1,2}|y{4}|y{2})([./ -])(d{1,2}|m{1,2})\2(d{1,2}|m{1,2}|y{4}|y{2})(?![a-z])/i;

  /** Whether a date has the field's format: day and month of one or two digits, the year with as many as the format. @param {string} text @param {string} format */
  function fits(text, format) {
    const separator = format.match(/[./ -]/)?.[0] ?? "";
    const [parts, said] = [format.split(separator), text.split(separator)];
    return said.length === parts.length && parts.every((part, at) => /^\d{1,4}$/.test(said[at]) && (/^y/i.test(part) ? said[at].length === part.length : said[at].length < 3));
  }

  /** A date in the order of a field's hint ("DD.MM.YYYY"); other texts and fitting dates are unchanged. */
  page.inFormat = (text, hint) => {
    const format = hint.match(FIELD_FORMAT)?.[0];
    if (!format) return text;
    const [year, month, day] = page.parseDate(text)?.split("-") ?? [];
    if (!day || fits(text.trim(), format)) return text;
    return format.replace(/y+/i, (years) => year.slice(-years.length)).replace(/m+/i, (part) => pad(+month, part.length)).replace(/d+/i, (part) => pad(+day, part.length));
  };

  /** The text as the value of an input of this type; null if it cannot be converted. */
  page.toInputValue = (type, text) => (text === "" ? "" : PARSERS[type] ? PARSERS[type](text) : text);
})();
