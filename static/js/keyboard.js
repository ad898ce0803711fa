// Single keys: / search, j k rows, Enter open, ? help. Silent inside inputs, and they can be turned off (WCAG 2.1.4).
const OFF = "mh-keys-off";
const off = () => { try { return localStorage.getItem(OFF) === "1"; } catch { return false; } };
const typing = (el) => el.closest?.("input, textarea, select, [contenteditable], dialog[open], [popover]");
const rows = () => [...document.querySelectorAll("[data-rows] > *")].filter((row) => row.querySelector("a[href]"));

function move(step) {
  const list = rows();
  if (!list.length) return;
  const here = list.findIndex((row) => row.contains(document.activeElement));
  const next = list[Math.min(list.length - 1, Math.max(0, here < 0 ? (step > 0 ? 0 : list.length - 1) : here + step))];
  next.querySelector(".row-link, a[href]").focus();
  next.scrollIntoView({ block: "nearest" });
}

const KEYS = {
  "/": () => document.querySelector("[data-search]")?.focus(),
  j: () => move(1),
  k: () => move(-1),
  "?": () => document.getElementById("keys-help")?.showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.matches?.("[data-search]")) event.target.blur();
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || off()) return;
  const action = KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

for (const box of document.querySelectorAll("[data-keys-off]")) {
  box.checked = off();
  box.addEventListener("change", () => { try { localStorage.setItem(OFF, box.checked ? "1" : "0"); } catch { /* this page only */ } });
}
