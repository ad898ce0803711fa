// Places popover menus beside their button, walks them with the arrow keys, and runs the drawers of small screens.
const GAP = 4;

function place(menu) {
  const button = document.querySelector(`[popovertarget="${CSS.escape(menu.id)}"]`);
  if (!button) return;
  const at = button.getBoundingClientRect();
  const box = menu.getBoundingClientRect();
  const below = at.bottom + GAP + box.height <= innerHeight || at.top < box.height + GAP;
  const left = at.left + box.width + GAP > innerWidth ? at.right - box.width : at.left;
  menu.style.top = `${Math.max(GAP, below ? at.bottom + GAP : at.top - GAP - box.height)}px`;
  menu.style.left = `${Math.max(GAP, left)}px`;
}

document.addEventListener("toggle", (event) => {
  if (!event.target.matches?.("[data-menu]") || event.newState !== "open") return;
  place(event.target);
  event.target.querySelector(".menu-item")?.focus({ preventScroll: true });
}, true);

document.addEventListener("keydown", (event) => {
  const menu = event.target.closest?.("[data-menu]");
  if (!menu || !["ArrowDown", "ArrowUp", "Home", "End"].includes(event.key)) return;
  const items = [...menu.querySelectorAll(".menu-item")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const next = step ? (items.indexOf(document.activeElement) + step + items.length) % items.length : event.key === "Home" ? 0 : items.length - 1;
  items[next]?.focus();
  event.preventDefault();
});

let opener = null;

function drawer(panel, open) {
  panel.toggleAttribute("data-open", open);
  for (const button of document.querySelectorAll(`[data-drawer="${CSS.escape(panel.id)}"]`)) button.setAttribute("aria-expanded", String(open));
  for (const scrim of document.querySelectorAll("[data-drawer-close].scrim")) scrim.toggleAttribute("data-open", open);
  if (open) panel.querySelector("a, button, input")?.focus();
  else opener?.focus();
}

const openDrawer = () => document.querySelector("[data-drawer-panel][data-open], .nav[data-open]");

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-drawer]");
  if (button) {
    const panel = document.getElementById(button.dataset.drawer);
    opener = button;
    drawer(panel, !panel.hasAttribute("data-open"));
  } else if (event.target.closest("[data-drawer-close]")) {
    const panel = openDrawer();
    if (panel) drawer(panel, false);
  }
});

document.addEventListener("keydown", (event) => {
  const panel = openDrawer();
  if (!panel) return;
  if (event.key === "Escape") drawer(panel, false);
  if (event.key === "Tab") keepInside(panel, event);
});

function keepInside(panel, event) {
  const stops = [...panel.querySelectorAll("a[href], button, input, textarea, select, [tabindex='0']")].filter((el) => el.checkVisibility() && !el.disabled);
  const edge = event.shiftKey ? stops[0] : stops.at(-1);
  if (document.activeElement !== edge) return;
  (event.shiftKey ? stops.at(-1) : stops[0]).focus();
  event.preventDefault();
}
