// The chat: a streamed answer (<mh-stream>), the memory it used, what it remembered, and the composer.
const csrf = () => document.querySelector('meta[name="csrf-token"]').content;
const post = (url) => fetch(url, { method: "POST", headers: { "X-CSRFToken": csrf(), "HX-Request": "true" } });
const toast = (detail) => document.dispatchEvent(new CustomEvent("mh:toast", { detail }));
const clone = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);
const composer = document.getElementById("composer");
const scroller = document.getElementById("turns-scroll");
const NEAR = 96;

// ---- scrolling: follow the answer while the reader is at its end, never pull them away from what they read
const atEnd = () => !scroller || scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR;
const toEnd = () => scroller?.scrollTo({ top: scroller.scrollHeight });
const jump = document.querySelector("[data-jump]");
function follow(change) {
  const stay = atEnd();
  change();
  if (stay) toEnd();
}
scroller?.addEventListener("scroll", () => { if (jump) jump.hidden = atEnd(); }, { passive: true });
jump?.addEventListener("click", toEnd);

// ---- announcing: whole sentences, not tokens
class Announcer {
  #region = document.getElementById("announce");
  #pending = "";
  say(text) {
    this.#pending += text;
    const end = Math.max(...[". ", "! ", "? ", ".\n", "!\n", "?\n", "\n\n"].map((mark) => this.#pending.lastIndexOf(mark)));
    if (end < 0) return;
    this.#speak(this.#pending.slice(0, end + 1));
    this.#pending = this.#pending.slice(end + 1);
  }
  finish() { this.#speak(this.#pending); this.#pending = ""; }
  #speak(text) {
    if (!this.#region || !text.trim()) return;
    const line = document.createElement("p");
    line.textContent = text.trim();
    this.#region.append(line);
    while (this.#region.childElementCount > 6) this.#region.firstElementChild.remove();
  }
}

// ---- memory: the panel shows what the chosen answer used
function memoryCard(fact) {
  const card = clone("memory-card");
  const put = (slot, text) => { const el = card.querySelector(`[data-slot="${slot}"]`); if (el) { el.textContent = text ?? ""; el.hidden = !text; } };
  put("statement", fact.statement);
  put("reason", fact.reason);
  put("before", fact.before);
  put("quote", fact.quote);
  put("after", fact.after);
  card.querySelector(".quote").hidden = !fact.quote;
  said(card.querySelector('[data-slot="said"]'), fact.said);
  trust(card.querySelector('[data-slot="trust"] .trust'), fact.verification);
  for (const link of card.querySelectorAll("a")) { if (fact.url) link.href = fact.url; else link.removeAttribute("href"); }
  return card;
}

const STEPS = ["claimed", "corroborated", "confirmed", "verified"];
function trust(el, level) {
  const step = STEPS.indexOf(level) + 1;
  el.className = `trust trust-${step}`;
  el.title = `Trust: ${level}, step ${step} of 4`;
  el.querySelectorAll("rect").forEach((rect, at) => rect.classList.toggle("on", at < step));
  el.querySelector("span").textContent = level;
}

function said(el, value) {
  const moment = new Date(value ?? "");
  if (!value || Number.isNaN(moment.getTime())) { el.textContent = value ?? ""; return; }
  const time = document.createElement("time");
  time.dateTime = moment.toISOString();
  el.replaceChildren(time);
}

function showMemory(turn) {
  const list = document.getElementById("memory-list");
  const held = turn?.querySelector("template.turn-memory");
  if (!list || !held) return;
  list.replaceChildren(held.content.cloneNode(true));
  list.dispatchEvent(new CustomEvent("mh:inserted", { bubbles: true }));
  for (const button of document.querySelectorAll("button.recalled")) button.setAttribute("aria-pressed", String(turn.contains(button)));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button.recalled");
  if (button) showMemory(button.closest(".turn"));
});

// ---- the streamed answer
class Stream extends HTMLElement {
  #source = null;
  #done = false;
  #voice = new Announcer();

  connectedCallback() {
    if (!this.hasAttribute("src") || this.#source) return;
    this.turn = this.closest(".turn");
    this.answer = this.querySelector("[data-answer]");
    this.working = this.querySelector("[data-working]");
    this.#open();
  }

  disconnectedCallback() { this.#close(); }

  #open() {
    this.#source = new EventSource(this.getAttribute("src"));
    const on = (name, act) => this.#source.addEventListener(name, (event) => act(JSON.parse(event.data)));
    on("recall", (data) => this.#recall(data.facts));
    on("token", (data) => this.#token(data.text));
    on("done", (data) => this.#finish(data.html, data.status));
    on("memory", (data) => this.#remember(data.facts));
    // A named "error" from the server carries data; a broken connection does not.
    this.#source.addEventListener("error", (event) => event.data ? this.#fail(JSON.parse(event.data)) : this.#broken());
    this.setAttribute("streaming", "");
    working();
  }

  #recall(facts) {
    follow(() => {
      const pill = clone("recalled-pill");
      pill.querySelector("[data-slot='count']").textContent = facts.length === 1 ? "1 memory used" : `${facts.length} memories used`;
      this.querySelector("[data-recalled]").replaceChildren(pill);
      const held = document.createElement("template");
      held.className = "turn-memory";
      held.content.append(...(facts.length ? facts.map(memoryCard) : [clone("memory-none")]));
      this.turn.querySelector("template.turn-memory")?.remove();
      this.turn.append(held);
    });
    showMemory(this.turn);
    this.#status("Writing…");
  }

  #token(text) {
    follow(() => {
      this.working.hidden = true;
      this.answer.classList.add("prose-live");
      this.answer.append(document.createTextNode(text));
    });
    this.#voice.say(text);
  }

  // The server renders and sanitises the whole answer; only that is ever put in as HTML.
  #finish(html, status) {
    this.#done = true;
    follow(() => {
      this.answer.classList.remove("prose-live");
      if (html) this.answer.innerHTML = html;
      this.answer.classList.toggle("prose-plain", !html);
      this.working.hidden = true;
      this.#foot(status);
    });
    this.#voice.finish();
    this.removeAttribute("streaming");
    working();
  }

  #foot(status) {
    const foot = this.turn.querySelector("[data-foot]");
    if (!foot) return;
    foot.hidden = false;
    const cut = { stopped: "stopped", partial: "interrupted" }[status];
    if (cut) foot.querySelector("[data-state]").textContent = `${cut} · `;
    foot.querySelector("[data-retry]")?.toggleAttribute("hidden", !cut);
    foot.querySelector("[data-copy-from]")?.toggleAttribute("hidden", !this.answer.textContent.trim());
  }

  #remember(facts) {
    if (!facts.length) return;
    follow(() => {
      const line = clone("remembered-line");
      for (const fact of facts) {
        const item = clone("remembered-item");
        const link = item.querySelector("[data-slot='statement']");
        link.textContent = fact.statement;
        link.href = fact.url;
        item.querySelector("[data-slot='held']").hidden = !fact.held;
        item.querySelector("button").dataset.undo = fact.undo_url;
        item.querySelector("button").setAttribute("aria-label", `Undo: ${fact.statement}`);
        line.append(item);
      }
      this.turn.querySelector("[data-remembered]").replaceChildren(line);
    });
    this.#voice.say(`Remembered: ${facts.map((fact) => fact.statement).join(" ")}\n\n`);
  }

  #fail({ message, retryable }) {
    const note = clone("answer-failed");
    note.querySelector("[data-slot='message']").textContent = message;
    const again = note.querySelector("[data-retry]");
    again.hidden = !(retryable && this.getAttribute("retry-url"));
    again.dataset.retry = this.getAttribute("retry-url") ?? "";
    follow(() => this.append(note));
    this.#voice.say(`${message}\n\n`);
    this.#finish(""); // the stream stays open: what the message taught is still to come
  }

  #broken() {
    if (this.#done) return this.#close();
    if (this.#source.readyState === EventSource.CLOSED) return this.#fail({ message: "The connection to the answer was lost. What was written is kept; reload the page to see it.", retryable: true });
    this.#status("Reconnecting…");
  }

  stopping() { this.#status("Stopping…"); }
  #status(words) { this.working.hidden = this.answer.textContent !== "" && words === "Writing…"; this.working.textContent = words; }
  #close() { this.#source?.close(); this.#source = null; this.removeAttribute("streaming"); working(); }
}

// ---- the composer: Enter sends, Shift+Enter breaks, Stop while an answer is being written
const live = () => document.querySelector("mh-stream[streaming]");
function working() { if (composer) composer.dataset.state = live() ? "streaming" : "idle"; }
const grow = (box) => { if (!CSS.supports("field-sizing", "content")) { box.style.height = "auto"; box.style.height = `${box.scrollHeight}px`; } };

composer?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !event.target.matches("textarea")) return;
  event.preventDefault();
  if (event.target.value.trim() && !live()) composer.requestSubmit();
});
composer?.addEventListener("input", (event) => event.target.matches("textarea") && grow(event.target));
// One id a message: sent twice by a slow line or a second click, it is still one message.
const fresh = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
if (composer) composer.elements.client_id.value = fresh();
composer?.addEventListener("submit", (event) => {
  if (composer.dataset.sending) event.preventDefault();
  else if (!composer.hasAttribute("hx-post")) composer.dataset.sending = "";
});
addEventListener("pageshow", () => { if (composer) delete composer.dataset.sending; });

composer?.addEventListener("htmx:afterRequest", (event) => {
  if (!event.detail.successful || event.detail.elt !== composer) return;
  composer.reset();
  composer.elements.client_id.value = fresh();
  grow(composer.querySelector("textarea"));
  document.querySelector("[data-chat-empty]")?.remove();
  // Only the last answer can be written anew.
  for (const button of document.querySelectorAll("#turns .turn:not(:last-child) [data-retry]")) button.hidden = true;
  toEnd();
});

document.addEventListener("click", async (event) => {
  const stop = event.target.closest("[data-stop]");
  const retry = event.target.closest("[data-retry]");
  const undo = event.target.closest("[data-undo]");
  const prompt = event.target.closest("[data-prompt]");
  if (prompt) {
    const box = composer.querySelector("textarea");
    box.value = prompt.dataset.prompt;
    box.focus();
    grow(box);
  }
  if (stop) live()?.stopping();
  if (stop) await asked(post(live()?.getAttribute("stop-url") ?? stop.dataset.stop), "The answer could not be stopped.");
  if (retry) window.htmx.ajax("POST", retry.dataset.retry, { target: retry.closest(".turn"), swap: "outerHTML" });
  if (undo && await asked(post(undo.dataset.undo), "This could not be undone; open the fact to forget it.")) {
    undo.closest(".remembered-item").setAttribute("data-undone", "");
    undo.remove();
    toast({ message: "Forgotten again" });
  }
});

async function asked(request, refusal) {
  const answer = await request.catch(() => null);
  if (!answer?.ok) toast({ message: refusal, level: "error" });
  return Boolean(answer?.ok);
}

// ---- the list of threads narrows as one types
document.querySelector("[data-thread-filter]")?.addEventListener("input", (event) => {
  const wanted = event.target.value.trim().toLowerCase();
  for (const item of document.querySelectorAll(".thread")) item.hidden = !item.textContent.toLowerCase().includes(wanted);
});

customElements.define("mh-stream", Stream);
showMemory([...document.querySelectorAll(".turn:has(template.turn-memory)")].at(-1));
if (location.hash.length < 2) toEnd();
composer?.querySelector("textarea[data-autofocus]")?.focus();
