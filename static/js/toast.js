// Toasts: anyone may dispatch "mh:toast" on the document: {message, level, undo}. undo is called when Undo is pressed.
// With level "error" a toast stays until it is dismissed.
const SHOWN = 6000;
const UNDO_SHOWN = 10000;
const region = document.getElementById("toasts");
const template = document.getElementById("toast-template");

function show({ message, level = "success", undo }) {
  const toast = template.content.firstElementChild.cloneNode(true);
  toast.classList.add(level === "error" ? "tone-bad" : level === "warning" ? "tone-warn" : "tone-good");
  if (level === "error" || level === "warning") {
    const use = toast.querySelector("use");
    use.setAttribute("href", use.getAttribute("href").replace("#check", "#warn"));
  }
  toast.querySelector("p").textContent = message;
  const button = toast.querySelector("[data-toast-undo]");
  button.hidden = !undo;
  if (undo) button.addEventListener("click", () => { toast.remove(); undo(); });
  region.append(toast);
  if (level !== "error") leave(toast, undo ? UNDO_SHOWN : SHOWN);
}

// Time stands still while the toast is pointed at or focused.
function leave(toast, after) {
  let timer = setTimeout(() => toast.remove(), after);
  const hold = () => clearTimeout(timer);
  const go = () => { hold(); timer = setTimeout(() => toast.remove(), after); };
  toast.addEventListener("pointerenter", hold);
  toast.addEventListener("focusin", hold);
  toast.addEventListener("pointerleave", go);
  toast.addEventListener("focusout", go);
}

if (region) {
  document.addEventListener("mh:toast", (event) => show(event.detail));
  region.addEventListener("click", (event) => event.target.closest("[data-toast-close]")?.closest(".toast").remove());
  for (const toast of region.querySelectorAll("[data-toast]")) if (toast.dataset.toast !== "error") leave(toast, toast.querySelector("form") ? UNDO_SHOWN : SHOWN);
}
