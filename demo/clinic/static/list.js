import {PAGE_SIZE, find, remove} from './api.js';
import {confirmDelete, template, toast} from './parts.js';

const SEXES = {female: 'Female', male: 'Male', other: 'Other'};

/** The list of patients, with search and pages. `place` is {q, page, focusSearch, added}. */
export async function listView(place, go) {
  const {fragment, parts} = template('list-view');
  const answer = await find(place.q, place.page);
  const pages = Math.max(1, Math.ceil(answer.total / PAGE_SIZE));
  if (place.page > pages) return listView({...place, page: pages}, go);

  parts.count.textContent = answer.total === 1 ? '1 patient' : `${answer.total} patients`;
  parts.rows.append(...answer.patients.map(patient => row(patient, place, go)));
  parts.empty.hidden = answer.total > 0;
  search(parts.search, place, go);
  paging(parts, place, pages, go);
  return fragment;
}

function search(form, place, go) {
  form.q.value = place.q;
  if (place.focusSearch) form.q.autofocus = true;
  form.addEventListener('submit', event => {
    event.preventDefault();
    go(address(form.q.value.trim(), 1));
  });
}

function paging(parts, place, pages, go) {
  parts.position.textContent = `Page ${place.page} of ${pages}`;
  parts.previous.disabled = place.page <= 1;
  parts.next.disabled = place.page >= pages;
  parts.previous.addEventListener('click', () => go(address(place.q, place.page - 1)));
  parts.next.addEventListener('click', () => go(address(place.q, place.page + 1)));
}

function row(patient, place, go) {
  const {fragment, parts} = template('row');
  parts.name.textContent = patient.name;
  parts.born.textContent = patient.dateOfBirth || '–';
  parts.sex.textContent = SEXES[patient.sex] ?? '–';
  parts.phone.textContent = patient.phone || '–';
  parts.consent.textContent = patient.consent ? 'Yes' : 'No';
  parts.edit.href = `/patients/${patient.id}/edit`;
  parts.edit.setAttribute('aria-label', `Edit ${patient.name}`);
  parts.delete.setAttribute('aria-label', `Delete ${patient.name}`);
  parts.delete.addEventListener('click', () => deletePatient(patient, place, go));
  fragment.querySelector('tr').classList.toggle('new', patient.id === place.added);
  return fragment;
}

async function deletePatient(patient, place, go) {
  if (!await confirmDelete(patient.name)) return;
  try {
    await remove(patient.id);
    toast(`Patient ${patient.name} was deleted`);
  } catch (error) {
    toast(error.message);
  }
  go(address(place.q, place.page), {replace: true});
}

function address(q, page) {
  const query = new URLSearchParams();
  if (q) query.set('q', q);
  if (page > 1) query.set('page', page);
  return query.size ? `/?${query}` : '/';
}
