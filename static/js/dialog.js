// Native dialogs: [data-dialog-open="id"] opens, [data-dialog-close] and a click on the backdrop close.
// The browser traps focus and gives it back to the opener.
document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-dialog-open]");
  if (opener) {
    const dialog = document.getElementById(opener.dataset.dialogOpen);
    opener.closest("[popover]")?.hidePopover();
    fill(dialog, opener);
    dialog?.showModal();
    dialog?.querySelector(".dialog-body :is(input:not([type='hidden']), textarea, select)")?.focus();
    return;
  }
  if (event.target.closest("[data-dialog-close]")) event.target.closest("dialog")?.close();
  else if (event.target instanceof HTMLDialogElement) event.target.close();
});

// One dialog may serve many rows: data-action sets where its form posts, data-fill-NAME the text of [data-slot="NAME"]
// and the value of inputs called NAME.
function fill(dialog, opener) {
  const form = dialog?.querySelector("form");
  if (form && opener.dataset.action) form.action = opener.dataset.action;
  for (const [key, value] of Object.entries(opener.dataset)) {
    if (!key.startsWith("fill")) continue;
    const name = key.slice(4).toLowerCase();
    for (const slot of dialog.querySelectorAll(`[data-slot="${CSS.escape(name)}"]`)) slot.textContent = value;
    const input = form?.elements.namedItem(name);
    if (input) input.value = value;
  }
}

// A dialog sent back with errors opens itself again.
const reopen = (root) => root.querySelectorAll("dialog[data-open-now], dialog:has([aria-invalid='true'])").forEach((dialog) => {
  if (dialog.open) return;
  dialog.showModal();
  dialog.querySelector("[aria-invalid='true']")?.focus();
});
reopen(document);
document.addEventListener("htmx:afterSettle", (event) => reopen(event.target));
