/** The shell: addresses to views, the navigation, who is signed in. */
import {logOut, me} from './api.js';
import {formView} from './form.js';
import {listView} from './list.js';
import {loginView} from './login.js';
import {menuButton} from './menu.js';
import {toast} from './parts.js';

const main = document.getElementById('main');
const nav = document.getElementById('nav');
let renders = 0;

/** The view for an address: [title, fragment]. */
async function view(url) {
  const edit = url.pathname.match(/^\/patients\/(\d+)\/edit$/);
  if (url.pathname === '/patients/new') return ['New patient', await formView(null, go)];
  if (edit) return editing(edit[1], url);
  return listing(url);
}

async function editing(id, url) {
  try {
    return ['Edit patient', await formView(id, go)];
  } catch (error) {
    toast(error.message);
    return listing(url);
  }
}

function signIn() {
  return ['Log in', loginView(() => go('/'))];
}

async function listing(url) {
  const place = {
    q: url.searchParams.get('q') ?? '',
    page: Math.max(1, Number(url.searchParams.get('page')) || 1),
    focusSearch: url.pathname === '/patients/search',
    added: history.state?.added,
  };
  return ['Patients', await listView(place, go)];
}

/** Go to an address of this page without loading it anew. */
function go(address, {replace = false, added = undefined} = {}) {
  history[replace ? 'replaceState' : 'pushState']({added}, '', address);
  render();
}

async function render() {
  const current = ++renders;
  const {signedIn} = await me();
  if (!signedIn && location.pathname !== '/login') history.replaceState(null, '', '/login');
  if (signedIn && location.pathname === '/login') history.replaceState(null, '', '/');
  const [title, content] = await (signedIn ? view(new URL(location.href)) : signIn());
  if (current !== renders) return; // another render has started since
  nav.hidden = !signedIn;
  document.title = `${title} · Larkfield Clinic`;
  main.replaceChildren(content);
  markCurrent();
  (main.querySelector('[autofocus]') ?? main).focus();
}

function markCurrent() {
  for (const link of nav.querySelectorAll('a')) {
    if (link.pathname === location.pathname) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

document.addEventListener('click', event => {
  const link = event.target.closest('a[data-link]');
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute('href'));
});
document.getElementById('log-out').addEventListener('click', async () => {
  await logOut();
  go('/login');
});
addEventListener('popstate', render);
menuButton(document.getElementById('patient-menu-button'), document.getElementById('patient-menu'));
render();
