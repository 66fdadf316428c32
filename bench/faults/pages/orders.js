// A table with actions in each row.
app.draw = () => `<h1>Orders</h1><table><thead><tr><th>Customer</th><th>Item</th><th>Total</th><th>Actions</th></tr></thead><tbody>
  ${app.records.map((one) => `<tr><td>${app.escape(one.customer)}</td><td>${app.escape(one.item)}</td><td>${one.total} EUR</td><td>
  <button class="plain" data-do="view" data-id="${one.id}">View</button>
  <button class="plain part-save" data-do="remove" data-id="${one.id}">Delete</button></td></tr>`).join("")}</tbody></table>`;

const found = ({ dataset }) => app.records.find((one) => String(one.id) === dataset.id);
async function remove(one) {
  const told = await app.send("/orders/delete", { id: one.id });
  if (told.records) {
    app.records = told.records;
    app.notice = `The order of ${one.customer} was deleted`;
  } else if (told.error) {
    app.notice = told.error;
  }
  app.show();
}
app.actions = {
  view: (pressed) => {
    app.notice = `Order of ${found(pressed).customer}: ${found(pressed).item}`;
    app.show();
  },
  remove: (pressed) => remove(found(pressed)),
};
app.load("/orders/records");
