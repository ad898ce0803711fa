// Runs before the first paint, so that no page flashes in the other theme.
(() => {
  const root = document.documentElement;
  const stored = () => { try { return localStorage.getItem("mh-theme") || "system"; } catch { return "system"; } };
  const apply = (theme) => {
    if (theme === "system") delete root.dataset.theme; else root.dataset.theme = theme;
    for (const button of document.querySelectorAll("[data-theme-set]"))
      button.setAttribute("aria-pressed", String(button.dataset.themeSet === theme));
  };
  apply(stored());
  document.addEventListener("DOMContentLoaded", () => apply(stored()));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-theme-set]");
    if (!button) return;
    try { localStorage.setItem("mh-theme", button.dataset.themeSet); } catch { /* private mode: this page only */ }
    apply(button.dataset.themeSet);
  });
})();
