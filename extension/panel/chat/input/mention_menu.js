import { element } from "../../element.js";

/** @import { Group, Offer } from "./mentions.js" */

/** Attributes that only a combobox has. */
const LISTING = { "aria-expanded": "true", "aria-haspopup": "listbox", "aria-autocomplete": "list" };

/** @param {Offer} offer @param {string} id */
function optionOf({ mention, hint, closed }, id) {
  const name = element("span", { class: "label", dir: "auto", title: mention.label }, mention.label);
  const beside = closed || hint;
  const parts = beside ? [name, element("span", { class: "beside", dir: "auto" }, beside)] : [name];
  const attributes = { role: "option", id, "aria-selected": "false", "data-testid": "mention-option", "data-category": mention.category };
  return element("div", { ...attributes, ...(closed ? { "aria-disabled": "true" } : {}) }, ...parts);
}

/**
 * The list of possible mentions. The focus stays in the box, which names the active item
 * (`aria-activedescendant`); while the list is open the box is a combobox.
 *
 * @param {HTMLElement} host @param {HTMLElement} box @param {(offer: Offer) => void} choose
 */
export function createMentionMenu(host, box, choose) {
  const list = element("div", { role: "listbox", id: "mention-list", "aria-label": "What can be mentioned" });
  const sentence = element("p", { class: "sentence" });
  const menu = element("div", { class: "mention-menu", "data-testid": "mention-menu", hidden: "" }, list, sentence);
  const status = element("p", { class: "unseen", role: "status" });
  host.append(menu, status);
  /** @type {{row: HTMLElement, offer: Offer}[]} the selectable items */
  let rows = [];
  let active = -1;

  const writing = () => ({ "aria-multiline": "true", "aria-placeholder": box.dataset.placeholder ?? "" });

  /** @param {boolean} open */
  function becomeCombobox(open) {
    menu.hidden = !open;
    for (const [name, value] of Object.entries(open ? LISTING : writing())) box.setAttribute(name, value);
    for (const name of Object.keys(open ? writing() : LISTING)) box.removeAttribute(name);
    box.setAttribute("role", open ? "combobox" : "textbox");
  }

  /** @param {number} index none for -1 */
  function activate(index) {
    rows[active]?.row.setAttribute("aria-selected", "false");
    active = index;
    const row = rows[index]?.row;
    row?.setAttribute("aria-selected", "true");
    row?.scrollIntoView({ block: "nearest" });
    if (row) box.setAttribute("aria-activedescendant", row.id);
    else box.removeAttribute("aria-activedescendant");
  }

  /** @param {Group} group @param {number} number */
  function groupOf({ heading, offers }, number) {
    const made = offers.map((offer, index) => {
      const row = optionOf(offer, `mention-${number}-${index}`);
      if (offer.closed) return row;
      const at = rows.push({ row, offer }) - 1;
      row.addEventListener("mousemove", () => at !== active && activate(at));
      row.addEventListener("click", () => choose(offer));
      return row;
    });
    return element("div", { role: "group", "aria-label": heading }, element("div", { class: "heading", "aria-hidden": "true" }, heading), ...made);
  }

  menu.addEventListener("mousedown", (event) => event.preventDefault()); // the caret stays where it is

  return {
    isOpen: () => !menu.hidden,

    /** @param {Group[]} groups the items; the active one stays active if it is still there */
    show(groups) {
      const before = rows[active]?.offer.mention;
      rows = [];
      list.replaceChildren(...groups.map(groupOf));
      list.hidden = false;
      sentence.hidden = true;
      sentence.textContent = "";
      box.setAttribute("aria-controls", list.id);
      becomeCombobox(true);
      const again = rows.findIndex(({ offer }) => before && offer.mention.id === before.id && offer.mention.category === before.category);
      activate(again > 0 ? again : rows.length > 0 ? 0 : -1);
      status.textContent = rows.length === 1 ? "1 match" : `${rows.length} matches`;
    },

    /** @param {string} text shown instead of a list */
    say(text) {
      rows = [];
      activate(-1);
      list.hidden = true;
      list.replaceChildren();
      box.removeAttribute("aria-controls");
      sentence.hidden = false;
      sentence.textContent = text;
      becomeCombobox(true);
      status.textContent = text;
    },

    close() {
      if (menu.hidden) return;
      rows = [];
      activate(-1);
      list.replaceChildren();
      box.removeAttribute("aria-controls");
      becomeCombobox(false);
      status.textContent = "";
    },

    /** @param {number} step moves by so many, wrapping around @returns {boolean} whether there is anything to move to */
    move(step) {
      if (rows.length > 0) activate((active + step + rows.length) % rows.length);
      return rows.length > 0;
    },

    /** @returns {boolean} whether an item was chosen */
    take() {
      const row = rows[active];
      if (row) choose(row.offer);
      return row !== undefined;
    },
  };
}
