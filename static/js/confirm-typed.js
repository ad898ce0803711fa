// An input with data-expect enables the button named by data-unlocks only while the typed text matches.
const sync = (input) => {
  const button = document.getElementById(input.dataset.unlocks);
  if (button) button.disabled = input.value.trim() !== input.dataset.expect;
};
document.addEventListener("input", (event) => event.target.matches("[data-expect]") && sync(event.target));
const all = (root) => root.querySelectorAll("[data-expect]").forEach(sync);
all(document);
document.addEventListener("htmx:afterSettle", (event) => all(event.target));
