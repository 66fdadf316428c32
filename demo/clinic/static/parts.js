/** Small pieces every view uses: templates, the toast, the confirmation. */

const TOAST_MS = 6000;
let toastTimer = 0;

/** A copy of the template, and a function that finds its `data-part`s. */
export function template(id) {
  const fragment = document.getElementById(id).content.cloneNode(true);
  const parts = Object.fromEntries(
    [...fragment.querySelectorAll('[data-part]')].map(element => [element.dataset.part, element]),
  );
  return {fragment, parts};
}

/** Shows a short message for a while; screen readers hear it. */
export function toast(message) {
  const place = document.getElementById('toast');
  place.textContent = message;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { place.textContent = ''; }, TOAST_MS);
}

/** Resolves to whether the person said yes. */
export function confirmDelete(name) {
  const dialog = document.getElementById('confirm');
  document.getElementById('confirm-title').textContent = `Delete ${name}?`;
  dialog.returnValue = 'cancel';
  dialog.showModal();
  return new Promise(resolve => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), {once: true});
  });
}
