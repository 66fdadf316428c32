import {logIn} from './api.js';
import {template} from './parts.js';

/** The log-in form; `done` is called once the server has accepted. */
export function loginView(done) {
  const {fragment, parts} = template('login-view');
  const {username, password} = parts.form.elements;
  username.autofocus = true;
  parts.form.addEventListener('submit', async event => {
    event.preventDefault();
    parts.problem.textContent = '';
    try {
      await logIn({username: username.value.trim(), password: password.value});
      done();
    } catch (error) {
      parts.problem.textContent = error.message;
      password.select();
    }
  });
  return fragment;
}
