// What goes wrong on this page in this run. It is loaded before the page's own script and knows
// nothing of how the page works but which controls carry its task (class part-*).
const faults = (() => {
  const once = (name) => !sessionStorage.getItem(name) && !sessionStorage.setItem(name, "1");
  const times = (name) => {
    const count = Number(sessionStorage.getItem(name) ?? 0) + 1;
    sessionStorage.setItem(name, String(count));
    return count;
  };
  const fired = () => sessionStorage.setItem("fired", "1");
  const parts = () => [...document.querySelectorAll(`.part-${FAULT.part}`)];
  const partOf = (event) => event.target.closest?.(`.part-${FAULT.part}`);
  const later = (ms, does) => setTimeout(does, ms);

  // Something over the page; `closed` are the texts of what closes it.
  function over(html, closes = ".closes") {
    document.body.insertAdjacentHTML("beforeend", html);
    const laid = document.body.lastElementChild;
    laid.addEventListener("click", (event) => {
      event.stopPropagation();
      if (event.target.closest(closes)) laid.remove();
    });
    fired();
    return laid;
  }

  const dialog = (title, text, buttons) => `<div class="backdrop"><div class="card" role="dialog" aria-modal="true" aria-label="${title}">
    <h2>${title}</h2><p>${text}</p><p>${buttons}</p></div></div>`;
  const COOKIES = `<div class="backdrop"><div class="bar" role="dialog" aria-modal="true" aria-label="Cookies"><p>We use cookies to make this site better.</p>
    <button class="closes">Accept all</button> <button class="closes plain">Only necessary</button></div></div>`;
  const NEWS = dialog("Stay in touch", "Get our news once a month.", `<label>Your email <input name="news"></label> <button class="plain" onclick="faults.strayed()">Subscribe</button>
    <button class="closes plain" aria-label="Close">×</button>`);
  const TOUR = dialog("New here?", "This is the place where you work on your records.", `<button class="closes">Got it</button>`);
  const WORKING = `<div class="spinner" role="status" aria-busy="true">Please wait…</div>`;

  // The same elements again, as new ones under new ids; what was typed is kept.
  let rounds = 0;
  function redrawn(root = document.querySelector("main")) {
    rounds += 1;
    const copy = root.cloneNode(true);
    const renamed = new Map();
    for (const el of copy.querySelectorAll("[id]")) {
      renamed.set(el.id, `${el.id.replace(/-r\d+$/, "")}-r${rounds}`);
      el.id = renamed.get(el.id);
    }
    for (const name of ["for", "aria-labelledby", "aria-describedby", "aria-controls", "form"]) {
      for (const el of copy.querySelectorAll(`[${name}]`)) el.setAttribute(name, el.getAttribute(name).split(" ").map((id) => renamed.get(id) ?? id).join(" "));
    }
    const fields = (el) => [...el.querySelectorAll("input, select, button")];
    const old = fields(root);
    const at = old.indexOf(document.activeElement);
    root.replaceWith(copy);
    const anew = fields(copy);
    old.forEach((el, n) => Object.assign(anew[n], { value: el.value, checked: el.checked }));
    anew[at]?.focus();
    fired();
  }

  function swapped(list) {
    for (const child of [...list.children].reverse()) list.append(child);
  }
  function reordered() {
    for (const list of document.querySelectorAll("tbody, main ul, [role=tablist], form:not([aria-label=Contact])")) swapped(list);
    for (const form of document.querySelectorAll("[role=dialog] form")) swapped(form);
    fired();
  }
  function below() {
    const news = Array.from({ length: 40 }, (_, n) => `<p>Notice ${n + 1}: the office is closed on that day.</p>`).join("");
    document.querySelector("main").insertAdjacentHTML("beforebegin", `<section aria-label="Notices">${news}</section>`);
    scrollTo(0, 0);
    fired();
  }
  function elsewhere(place) {
    const [part] = parts();
    if (!part) return;
    const form = part.closest("form");
    if (form) {
      form.id ||= "moved-form";
      part.setAttribute("form", form.id);
    }
    (document.querySelector("[role=dialog] .card, [role=dialog]") ?? document.body).append(place);
    place.querySelector(".here").append(part);
    fired();
  }
  function made(html) {
    const holder = document.createElement("div");
    holder.innerHTML = html;
    return holder;
  }
  function inMenu() {
    const menu = made(`<button class="plain" aria-haspopup="true" aria-expanded="false">More actions</button><div class="here" hidden></div>`);
    menu.firstChild.onclick = () => {
      const list = menu.querySelector(".here");
      list.hidden = !list.hidden;
      menu.firstChild.setAttribute("aria-expanded", String(!list.hidden));
    };
    elsewhere(menu);
  }
  function more() {
    if (!window.app) return redrawn();
    const rows = FAULT.rows.map((row, n) => ({ ...app.records[0], ...row, id: 900 + n }));
    app.records.unshift(...rows);
    app.show();
    fired();
  }

  // A bubble that stays over the control.
  function bubble() {
    const laid = over(`<div class="bubble" role="complementary" aria-label="Chat"><b>Need help?</b> Chat with us. <button class="closes plain">Minimize chat</button></div>`);
    setInterval(() => {
      const box = parts()[0]?.getBoundingClientRect();
      laid.hidden = !box;
      if (box) Object.assign(laid.style, { left: `${Math.max(0, box.x - 30)}px`, top: `${Math.max(0, box.y - 20)}px`, minHeight: `${box.height + 40}px` });
    }, 60);
  }

  // Lets no click on the control through while `eats` says so.
  function eat(eats) {
    addEventListener("click", (event) => {
      if (!partOf(event) || !eats(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      fired();
    }, true);
  }
  function asks(ask) {
    let passing = false;
    eat((event) => {
      if (passing) return false;
      const pressed = partOf(event);
      ask(() => {
        passing = true;
        (pressed.isConnected ? pressed : parts()[0])?.click();
        passing = false;
      });
      return true;
    });
  }
  const QUESTION = dialog("Are you sure?", "This will be kept in the records.", `<button class="closes yes">Yes, go on</button> <button class="closes plain">Cancel</button>`);

  let began = performance.timeOrigin; // of this page, or of the task if that is later
  const AT_LOAD = {
    cookies: () => once("cookies") && over(COOKIES),
    "chat bubble": bubble,
    "on click": () => eat(() => once("tour") && over(TOUR)),
    "click lost": () => eat(() => once("eaten")),
    "two clicks lost": () => eat(() => times("eaten") <= 2),
    "late handlers": () => eat(() => Date.now() - began < FAULT.ms),
    "keys only": () => {
      let keyed = false;
      eat(() => !keyed);
      addEventListener("keydown", (event) => {
        if (!partOf(event) || ![" ", "Enter"].includes(event.key)) return;
        event.preventDefault();
        keyed = true;
        partOf(event).click();
        keyed = false;
      }, true);
    },
    "disabled at first": () => {
      let since = Date.now();
      addEventListener("input", () => { since = Date.now(); }, true);
      setInterval(() => parts().forEach((part) => {
        const early = Date.now() - since < FAULT.ms;
        if (early) fired();
        part.disabled = early;
      }), 30);
    },
    "drawn all the time": () => setInterval(redrawn, 250),
    "drawn on press": () => addEventListener("mousedown", (event) => partOf(event) && times("pressed") <= 2 && redrawn(), true),
    skeleton: () => {
      if (typeof app !== "undefined") return; // a constant of a script is no property of the window
      const main = document.querySelector("main");
      const kept = [...main.childNodes];
      main.replaceChildren(made(`<div class="skeleton"></div>`.repeat(6)));
      later(FAULT.ms, () => main.replaceChildren(...kept));
      fired();
    },
    "save with spinner": () => {
      const spin = () => { const laid = over(`<div class="spinner" role="status">Saving…</div>`); return () => laid.remove(); };
      addEventListener("submit", (event) => !event.target.dataset.do && spin());
      const real = fetch;
      window.fetch = (path, given) => {
        if (given?.method !== "POST") return real(path, given);
        const stop = spin();
        return real(path, given).finally(stop);
      };
    },
    "native alert": () => eat(() => { if (once("alerted")) { fired(); alert("Did you know? There is a new help page."); } return false; }),
    "native question": () => eat(() => { fired(); return !confirm("Are you sure?"); }),
    "page question": () => asks((go) => {
      const laid = over(QUESTION);
      laid.querySelector(".yes").addEventListener("click", () => { laid.remove(); go(); });
    }),
    "other window": () => eat(() => { if (once("offered")) { fired(); open("/offer", "_blank"); } return false; }),
    "new tab": () => {
      const retarget = () => document.querySelectorAll("a.part-open").forEach((a) => { if (a.target !== "_blank") { a.target = "_blank"; fired(); } });
      new MutationObserver(retarget).observe(document, { childList: true, subtree: true });
      retarget();
    },
    "leave question": () => addEventListener("beforeunload", (event) => { event.preventDefault(); fired(); }),
  };
  const BETWEEN = {
    reordered,
    below,
    "other container": () => elsewhere(made(`<div class="here" role="toolbar" aria-label="Actions"></div>`)),
    "in a menu": inMenu,
    "new nodes": () => redrawn(),
    "rows added": more,
    newsletter: () => over(NEWS),
    working: () => { const laid = over(WORKING); later(FAULT.ms, () => laid.remove()); },
    "without a button": () => {
      const laid = over(`<div class="backdrop clear"></div>`, ".backdrop");
      addEventListener("keydown", (event) => event.key === "Escape" && laid.remove());
    },
    emptied: () => {
      const field = document.querySelector(`[name="${FAULT.field}"]`);
      if (!field) return;
      fired();
      const empty = () => later(30, () => { document.querySelector(`[name="${FAULT.field}"]`).value = ""; });
      field.addEventListener("change", empty, { once: true });
    },
  };

  addEventListener("DOMContentLoaded", () => AT_LOAD[FAULT.variant]?.());
  return {
    fired,
    /** Called when the task begins. */
    begin() {
      began = Date.now();
    },
    /** Called between a look at the page and the action that was chosen on it. */
    between: () => BETWEEN[FAULT.variant]?.(),
    strayed: () => sessionStorage.setItem("strayed", "1"),
  };
})();
