// [data-copy="text"] copies its text; an empty value copies the text of the element named by data-copy-from.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  event.preventDefault();
  const source = button.dataset.copyFrom && document.getElementById(button.dataset.copyFrom);
  const text = source ? (source.value ?? source.textContent) : button.dataset.copy;
  const toast = (message, level) => document.dispatchEvent(new CustomEvent("mh:toast", { detail: { message, level } }));
  try {
    await navigator.clipboard.writeText(text);
    button.setAttribute("data-copied", "");
    setTimeout(() => button.removeAttribute("data-copied"), 1500);
    toast("Copied");
  } catch {
    toast("Your browser refused to copy; select the text and copy it by hand.", "error");
  }
});
