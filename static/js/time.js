// Ages in words, exact in the viewer's zone. The server's own words stay where scripts are off.
const UNITS = [["year", 31536000], ["month", 2592000], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60]];
const words = new Intl.RelativeTimeFormat(document.documentElement.lang || "en", { numeric: "always" });
const exact = new Intl.DateTimeFormat(document.documentElement.lang || "en", { dateStyle: "medium", timeStyle: "short" });
const zone = new Intl.DateTimeFormat("en", { timeZoneName: "short" });

function age(moment) {
  const seconds = (moment - Date.now()) / 1000;
  for (const [unit, size] of UNITS) {
    const count = Math.trunc(seconds / size);
    if (count) return words.format(count, unit);
  }
  return seconds <= 0 ? "just now" : "in a moment";
}

function restate(root) {
  for (const el of root.querySelectorAll("time[datetime]:not([data-fixed])")) {
    const moment = new Date(el.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    const name = zone.formatToParts(moment).find((part) => part.type === "timeZoneName")?.value ?? "";
    el.title = `${exact.format(moment)} ${name}`.trim();
    if ("exact" in el.dataset) el.dataset.exact = el.title;
    el.textContent = age(moment);
  }
}

restate(document);
setInterval(() => restate(document), 60000);
document.addEventListener("htmx:afterSettle", (event) => restate(event.target));
document.addEventListener("mh:inserted", (event) => restate(event.target));
