// A list, and a dialog to add or to change one of it.
let open = null; // the record in the dialog
let errors = {};
let typed = {};

const field = (name, label, type, more = "") => `<p class="field"><label for="c-${name}">${label}</label>
  <input id="c-${name}" name="${name}" type="${type}" value="${app.escape(typed[name] ?? "")}" ${errors[name] ? `aria-invalid="true" aria-describedby="e-${name}"` : ""} ${more}>
  ${errors[name] ? `<span class="error" id="e-${name}">${app.escape(errors[name])}</span>` : ""}</p>`;

const dialog = () => `<div class="backdrop"><div class="card" role="dialog" aria-modal="true" aria-labelledby="d-title">
  <h2 id="d-title">${open.id ? "Edit contact" : "New contact"}</h2>
  <form data-do="save" aria-label="Contact">${errors[""] ? `<p class="error" role="alert">${app.escape(errors[""])}</p>` : ""}
  ${field("name", "Name", "text")}${field("email", "Email", "text")}${field("phone", "Phone", "text")}
  ${FAULT.extra && errors[FAULT.extra] ? field(FAULT.extra, FAULT.extraLabel, "text") : ""}
  <p><button class="part-save" type="submit">Save</button> <button type="button" class="plain" data-do="close">Cancel</button></p></form></div></div>`;

app.draw = () => `<h1>Contacts</h1><p class="tools"><button class="part-open" data-do="add">Add contact</button></p>
  <table><thead><tr><th>Name</th><th>Email</th><th>Phone</th><th></th></tr></thead><tbody>
  ${app.records.map((one) => `<tr><td>${app.escape(one.name)}</td><td>${app.escape(one.email)}</td><td>${app.escape(one.phone)}</td>
  <td><button class="plain part-row" data-do="edit" data-id="${one.id}">Edit</button></td></tr>`).join("")}</tbody></table>${open ? dialog() : ""}`;

const show = (record) => {
  open = record;
  typed = { ...record };
  errors = {};
  app.notice = "";
  app.show();
  if (open) document.querySelector("[role=dialog] input").focus();
};
app.actions = {
  add: () => show({}),
  edit: ({ dataset }) => show(app.records.find((one) => String(one.id) === dataset.id)),
  close: () => show(null),
  async save(form) {
    typed = Object.fromEntries(new FormData(form));
    const told = await app.send("/contacts/save", { ...typed, id: open.id });
    if (told.errors) {
      errors = told.errors;
      for (const name of told.clear ?? []) typed[name] = "";
      app.show();
    } else if (told.error) {
      errors = { "": told.error };
      app.show();
    } else if (told.records) {
      app.records = told.records;
      open = null;
      app.notice = "Contact saved";
      app.show();
    }
  },
};
app.load("/contacts/records");
