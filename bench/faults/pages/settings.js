// Tabs of switches that are kept by a button.
const TABS = { general: "General", notifications: "Notifications", security: "Security" };
let tab = "general";
let error = "";

const line = (one) => `<p class="field"><span id="s-${one.id}">${app.escape(one.name)}</span>
  <button type="button" role="switch" class="part-toggle" aria-checked="${one.on}" aria-labelledby="s-${one.id}" data-do="turn" data-id="${one.id}">${one.on ? "On" : "Off"}</button></p>`;

app.draw = () => `<h1>Settings</h1><div role="tablist" aria-label="Settings">${Object.entries(TABS).map(([key, name]) => `<button type="button" role="tab" class="part-open"
  id="t-${key}" aria-selected="${key === tab}" data-do="tab" data-tab="${key}">${name}</button>`).join("")}</div>
  <div role="tabpanel" aria-labelledby="t-${tab}">${app.records.filter((one) => one.tab === tab).map(line).join("")}</div>
  ${error ? `<p class="error" role="alert">${app.escape(error)}</p>` : ""}
  <p class="tools"><button class="part-save" type="button" data-do="save">Save changes</button></p>`;

app.actions = {
  tab: ({ dataset }) => {
    tab = dataset.tab;
    app.notice = "";
    app.show();
  },
  turn: ({ dataset }) => {
    const one = app.records.find(({ id }) => String(id) === dataset.id);
    one.on = !one.on;
    app.notice = "";
    app.show();
  },
  async save() {
    const told = await app.send("/settings/save", { switches: app.records });
    error = told.errors ? Object.values(told.errors)[0] : (told.error ?? "");
    app.notice = told.records ? "Settings saved" : "";
    if (told.records) app.records = told.records;
    app.show();
  },
};
app.load("/settings/records");
