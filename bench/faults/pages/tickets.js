// One record at a time: a native choice, a list of our own, and a button.
const PEOPLE = ["Nobody", "Ann Reed", "Omar Haddad", "Lena Fuchs", "Ivo Novak"];
let current = null;
let listed = false;
let error = "";

const option = (name) => `<option ${name === current.priority ? "selected" : ""}>${name}</option>`;
const ticket = () => `<h1>${app.escape(current.title)}</h1><p><button class="plain" data-do="back">Back to tickets</button></p>
  <form data-do="save" aria-label="Ticket">
  <p class="field"><label for="priority">Priority</label> <select id="priority" name="priority">${["Low", "Normal", "High"].map(option).join("")}</select></p>
  <div class="field"><label id="l-person">Assignee</label> <button type="button" class="plain part-list" role="combobox" aria-haspopup="listbox" aria-expanded="${listed}"
  aria-controls="people" aria-labelledby="l-person v-person" data-do="list"><span id="v-person">${app.escape(current.assignee)}</span></button>
  ${listed ? `<ul class="options" role="listbox" id="people" aria-labelledby="l-person">${PEOPLE.map((name) => `<li role="option" aria-selected="${name === current.assignee}" data-do="pick" data-name="${name}">${name}</li>`).join("")}</ul>` : ""}</div>
  ${error ? `<p class="error" role="alert">${app.escape(error)}</p>` : ""}
  <p class="tools"><button class="part-save" type="submit">Save ticket</button></p></form>`;

const list = () => `<h1>Tickets</h1><ul>${app.records.map((one) => `<li><a href="#${one.id}" class="part-open">${app.escape(one.title)}</a> (${one.priority}, ${app.escape(one.assignee)})</li>`).join("")}</ul>`;
app.draw = () => (current ? ticket() : list());

const keep = () => {
  const select = document.querySelector("#priority, [name=priority]");
  if (select) current.priority = select.value;
};
const at = () => {
  const record = app.records.find((one) => `#${one.id}` === location.hash);
  current = record ? { ...record } : null;
  listed = false;
  error = "";
  app.show();
};
addEventListener("hashchange", () => {
  app.notice = "";
  at();
});
document.addEventListener("change", () => current && keep());
app.actions = {
  back: () => {
    location.hash = "";
  },
  list: () => {
    keep();
    listed = !listed;
    app.show();
  },
  pick: ({ dataset }) => {
    keep();
    current.assignee = dataset.name;
    listed = false;
    app.show();
  },
  async save() {
    keep();
    const { id, priority, assignee } = current;
    const told = await app.send("/tickets/save", { id, priority, assignee });
    error = told.errors ? Object.values(told.errors)[0] : (told.error ?? "");
    app.notice = told.records ? "Ticket saved" : "";
    if (told.records) app.records = told.records;
    app.show();
  },
};
app.load("/tickets/records").then(at);
