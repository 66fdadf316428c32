/** A menu button as in the ARIA authoring practices: arrows, Home, End, Escape, click outside. */
export function menuButton(button, menu) {
  const items = [...menu.querySelectorAll('[role="menuitem"]')];

  function show(open, focus = 0) {
    menu.hidden = !open;
    button.setAttribute('aria-expanded', String(open));
    if (open && focus !== null) items.at(focus).focus();
  }

  function move(key) {
    const at = items.indexOf(document.activeElement);
    const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1}[key];
    items.at(to % items.length).focus();
  }

  button.addEventListener('click', event => show(menu.hidden, event.detail === 0 ? 0 : null));
  button.addEventListener('keydown', event => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    show(true, event.key === 'ArrowDown' ? 0 : -1);
  });
  menu.addEventListener('keydown', event => {
    if (['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key)) {
      event.preventDefault();
      move(event.key);
    }
    if (event.key === 'Tab') show(false);
  });
  document.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || menu.hidden) return;
    show(false);
    button.focus();
  });
  document.addEventListener('click', event => {
    if (!button.contains(event.target)) show(false);
  });
}
