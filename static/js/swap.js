// What every htmx request shares: the CSRF header, one voice for failures, and focus on what is new.
document.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-CSRFToken"] = document.querySelector('meta[name="csrf-token"]').content;
});

const say = (message) => document.dispatchEvent(new CustomEvent("mh:toast", { detail: { message, level: "error" } }));

document.addEventListener("htmx:sendError", () => say("The server could not be reached. Check your connection and try again."));
document.addEventListener("htmx:responseError", (event) => {
  const { xhr } = event.detail;
  // A refusal comes as a sentence of plain text; anything else is worded here.
  if (xhr.status === 409 && xhr.getResponseHeader("Content-Type")?.startsWith("text/plain")) { say(xhr.responseText); return; }
  const request = xhr.getResponseHeader("X-Request-ID");
  const why = { 401: "You were signed out. Reload the page and sign in.", 403: "Your role does not allow this.", 404: "That no longer exists. Reload the page.", 409: "Somebody changed this meanwhile. Reload the page to see it." };
  say((why[xhr.status] ?? "Something broke on our side; nothing was changed.") + (request ? ` Request ${request}.` : ""));
});

// After a change the focus goes to what came of it; lists that renew themselves leave it where it is.
document.addEventListener("htmx:afterSettle", (event) => {
  const lost = document.activeElement === document.body && event.detail.requestConfig?.verb !== "get";
  const next = event.target.querySelector("[autofocus], [data-focus]") ?? (lost ? event.target.querySelector("a[href], button") : null);
  next?.focus();
});
