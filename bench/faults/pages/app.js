// What the single-page apps share: state, drawing, and one listener for everything, so that a page
// whose elements are replaced goes on working.
const app = {
  records: [],
  notice: "",
  draw: () => {},
  actions: {},

  escape: (text) => String(text ?? "").replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`),

  show() {
    const main = document.querySelector("main");
    main.innerHTML = app.draw() + (app.notice ? `<p class="notice" role="status">${app.escape(app.notice)}</p>` : "");
  },

  async load(path) {
    const reply = await fetch(path);
    app.records = (await reply.json()).records;
    app.show();
  },

  // Sends and returns the answer; a redirect to the sign-in page is followed, as such apps do.
  async send(path, values) {
    let reply;
    try {
      reply = await fetch(path, { method: "POST", body: JSON.stringify(values) });
    } catch {
      return { error: "The connection was lost. Check whether your change was saved." };
    }
    if (reply.status === 401) {
      const told = await reply.json();
      if (told.again) {
        await new Promise((done) => setTimeout(done, told.again));
        return app.send(path, values);
      }
      if (told.location) location.assign(told.location);
      else if (told.dialog) document.body.insertAdjacentHTML("beforeend", told.dialog);
      return told;
    }
    return reply.json();
  },
};

document.addEventListener("click", (event) => {
  const pressed = event.target.closest("[data-do]");
  if (pressed && pressed.tagName !== "FORM" && !pressed.disabled) app.actions[pressed.dataset.do]?.(pressed);
});
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-do]");
  if (!form) return;
  event.preventDefault();
  app.actions[form.dataset.do]?.(form);
});
