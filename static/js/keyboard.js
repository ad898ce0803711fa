// Single keys: / search, j k rows or neighbours, Enter open, g and a letter to a place, ? help, and the letters that
// buttons carry as data-key. Silent inside inputs, and they can be turned off (WCAG 2.1.4).
const OFF = "mh-keys-off";
const AFTER_G = 1200;
const off = () => { try { return localStorage.getItem(OFF) === "1"; } catch { return false; } };
const typing = (el) => el.closest?.("input, textarea, select, [contenteditable], dialog[open], [popover]");
const rows = () => [...document.querySelectorAll("[data-rows] > *")].filter((row) => !row.hidden && row.querySelector("a[href], button"));
const press = (key) => document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.click();

function move(step) {
  const list = rows();
  if (!list.length) return press(step > 0 ? "j" : "k");
  const here = list.findIndex((row) => row.contains(document.activeElement));
  const next = list[Math.min(list.length - 1, Math.max(0, here < 0 ? (step > 0 ? 0 : list.length - 1) : here + step))];
  (next.querySelector(".row-link") ?? next.querySelector("a[href], button")).focus();
  next.scrollIntoView({ block: "nearest" });
}

let going = 0;
const KEYS = {
  "/": () => document.querySelector("[data-search]")?.focus(),
  j: () => move(1),
  k: () => move(-1),
  g: () => { going = Date.now(); },
  "?": () => document.getElementById("keys-help")?.showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.matches?.("[data-search]")) event.target.blur();
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || off()) return;
  const place = Date.now() - going < AFTER_G && document.querySelector(`[data-go="${CSS.escape(event.key)}"]`);
  going = 0;
  const action = place ? () => place.click() : KEYS[event.key] ?? (document.querySelector(`[data-key="${CSS.escape(event.key)}"]`) && (() => press(event.key)));
  if (!action) return;
  event.preventDefault();
  action();
});

for (const box of document.querySelectorAll("[data-keys-off]")) {
  box.checked = off();
  box.addEventListener("change", () => { try { localStorage.setItem(OFF, box.checked ? "1" : "0"); } catch { /* this page only */ } });
}
