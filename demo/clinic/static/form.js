import {get, save} from './api.js';
import {template, toast} from './parts.js';

const PHONE = /^[+()\d][\d\s()./-]{3,}$/;

/** The form for a new patient (`id` null) or a stored one. */
export async function formView(id, go) {
  const {fragment, parts} = template('form-view');
  if (id) fill(parts, await get(id));
  else fields(parts.form).name.autofocus = true;
  parts.form.addEventListener('submit', event => {
    event.preventDefault();
    submit(id, parts, go);
  });
  parts.form.addEventListener('input', event => {
    if (event.target.getAttribute('aria-invalid')) show(event.target, check(parts.form)[event.target.name]);
  });
  return fragment;
}

/** `form.elements`, since a form's own properties (`name`) hide its fields. */
function fields(form) {
  return form.elements;
}

function fill(parts, patient) {
  parts.title.textContent = `Edit ${patient.name}`;
  for (const field of fields(parts.form)) {
    if (field.type === 'checkbox') field.checked = patient[field.name];
    else if (field.name) field.value = patient[field.name];
  }
}

/** What is wrong, by field; empty when all is well. */
function check(form) {
  const {name, dateOfBirth, phone} = fields(form);
  const problems = {};
  if (!name.value.trim()) problems.name = 'Enter the name.';
  if (dateOfBirth.validity.badInput) problems.dateOfBirth = 'Enter a whole date.';
  else if (dateOfBirth.value && dateOfBirth.valueAsNumber > Date.now()) {
    problems.dateOfBirth = 'The date of birth lies in the future.';
  }
  if (phone.value.trim() && !PHONE.test(phone.value.trim())) {
    problems.phone = 'Enter a phone number, such as +44 20 7946 0000.';
  }
  return problems;
}

function show(field, message = '') {
  const place = document.getElementById(`${field.name}-error`);
  if (!place) return;
  place.textContent = message;
  if (message) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

async function submit(id, parts, go) {
  const {form} = parts;
  const problems = check(form);
  for (const field of fields(form)) show(field, problems[field.name]);
  const [first] = Object.keys(problems);
  if (first) {
    fields(form)[first].focus();
    return;
  }
  const button = form.querySelector('[type="submit"]');
  button.setAttribute('aria-busy', 'true');
  parts.problem.textContent = '';
  try {
    const patient = await save(id, read(form));
    toast(id ? `Patient ${patient.name} was updated` : `Patient ${patient.name} was created`);
    go('/', {added: patient.id});
  } catch (error) {
    parts.problem.textContent = error.message;
  } finally {
    button.removeAttribute('aria-busy');
  }
}

function read(form) {
  const {name, dateOfBirth, sex, phone, notes, consent} = fields(form);
  return {
    name: name.value.trim(),
    dateOfBirth: dateOfBirth.value,
    sex: sex.value,
    phone: phone.value.trim(),
    notes: notes.value.trim(),
    consent: consent.checked,
  };
}
