// The table page: shows what the companion streams (see stream.js), sends taps as commands, reads announcements aloud, and
// shows how old its content is. The companion renders everything that is shown or spoken.
"use strict";

const SILENCE = 15; // seconds without a message after which the stream is reopened (heartbeat: 10)
const FETCH_TIMEOUT = 3000; // milliseconds: an answer that a lost network has swallowed never comes
const COMMAND_TIMEOUT = 10_000; // milliseconds: a key of the drawn panel is only answered when it is released
const MESSAGE_MS = 4000; // for which a message stays
const TAP_MS = 250; // a key of the drawn panel that is released earlier counts as the shortest press
const GONE = [403, 404]; // another game has begun or is being set up, or another phone shows this player's page
const KEEP_OPEN_ON_ERROR = ["adjust", "call"]; // forms whose fields must not be lost when they are rejected
const OF_A_TURN = /\/(moves|place|die|why|coach)\b/; // sheets about the turn that is under way
const BASE = document.body.dataset.base ?? ""; // address of a player's own page; empty on the shared one
const sheet = document.getElementById("sheet");
const toast = document.getElementById("toast");
const age = document.getElementById("age");
const voice = document.getElementById("voice");
const MORPH = {
  callbacks: {
    beforeNodeMorphed: (shown, fresh) => !fresh.dataset?.same,
    beforeAttributeUpdated: (name) => name !== "aria-live", // see setVoice
  },
};

let shownAt = now();
let refreshing = null;
let again = false;
let pendingRequest = null; // AbortController of the running request
let failed = false; // whether the last request got no answer
let sending = Promise.resolve();
let pending = 0; // commands that are not answered yet
let sheetTurn = null; // the turn that the open sheet is about
let wakeLock = null; // keeps the screen on
let heldKey = null; // the key of the drawn panel that is held down, and since when
let announced = announcement(); // the announcement that was current when the page was opened is not read

function now() {
  return performance.now() / 1000;
}

function state() {
  return document.getElementById("state").dataset;
}

// Adds the page's language to *path*, for browsers without cookies.
function localized(path, fields = {}) {
  const separator = path.includes("?") ? "&" : "?";
  return `${path}${separator}${new URLSearchParams({ lang: document.documentElement.lang, ...fields })}`;
}

// The same for a request for the table: the companion leaves out the parts that are shown already.
function tableUrl(path) {
  return localized(path, { shown: state().parts });
}

// --- showing the table ---

// Fetches changes; resolves when the page shows a state at least as new as the call.
function refresh() {
  again = true;
  refreshing ??= fetchTable().finally(() => {
    refreshing = null;
    showAge();
  });
  return refreshing;
}

async function fetchTable() {
  while (again) {
    again = false;
    pendingRequest = new AbortController();
    const timeout = setTimeout(() => {
      failed = true;
      pendingRequest.abort();
    }, FETCH_TIMEOUT);
    try {
      const answer = await fetch(tableUrl(`${BASE}/table`), { signal: pendingRequest.signal });
      if (GONE.includes(answer.status)) return location.reload();
      if (!answer.ok) return;
      show(await answer.text());
    } catch (error) {
      if (!again) failed = true; // No contact: the badge shows it, and the page retries every second.
    } finally {
      clearTimeout(timeout);
    }
  }
}

// Shows a rendered table. Of a part that is shown already, only its tag is sent; if that part has been replaced in the
// meantime, the whole table is fetched.
function show(html) {
  failed = false;
  const given = new DOMParser().parseFromString(html, "text/html");
  const fresh = given.getElementById("state");
  const { token, version, parts } = state();
  if (fresh.dataset.token === token && Number(fresh.dataset.version) < Number(version)) return; // outdated
  const same = [...given.querySelectorAll("[data-same]")].map((part) => part.dataset.same);
  if (!same.every((tag) => parts.split(" ").includes(tag))) {
    refresh();
    return;
  }
  Idiomorph.morph(document.getElementById("state"), fresh, MORPH);
  shownAt = now();
  document.dispatchEvent(new Event("table")); // see touch.js
  fit();
  closeOutdated();
  announce();
}

// Closes a sheet about a turn that is over because somebody else has gone on.
function closeOutdated() {
  if (pending || !sheet.open || !sheetTurn || sheetTurn === state().turn) return;
  sheet.close();
  showMessage(age.dataset.wentOn);
}

// Sets the card more densely until its text fits; whatever still does not fit can be scrolled to.
function fit() {
  const text = document.querySelector(".card-text");
  if (!text) return;
  for (const density of [0, 1, 2, 3]) {
    document.body.dataset.density = density;
    if (text.scrollHeight <= text.clientHeight) return;
  }
  text.tabIndex = 0; // for the arrow keys
}

// Shows the age of the content, whatever state the stream reports.
function showAge() {
  const seconds = Math.round(now() - shownAt);
  const lost = failed || seconds > SILENCE;
  age.textContent = (lost ? age.dataset.lost : age.dataset.updated).replace("{seconds}", seconds);
  if (lost && !age.classList.contains("lost") && !toast.classList.contains("shown")) showMessage(age.textContent);
  age.classList.toggle("lost", lost);
}

// Answers that were pending before a sleep or a network failure may never come.
function wakeUp() {
  if (document.visibilityState === "hidden") return;
  pendingRequest?.abort();
  refresh();
  listen();
}

// --- taps ---

// Sends commands one after the other, each with the version that was shown at the time of the tap.
function send(fields) {
  const command = { ...fields, version: state().version };
  const focused = document.activeElement;
  hold(sheet.open);
  pending += 1;
  sending = sending.then(() => deliver(command)).finally(() => {
    pending -= 1;
    hold(false);
    if (sheet.contains(focused) && !sheet.contains(document.activeElement)) focused.focus();
  });
}

// While a command is pending, its sheet is outdated: it accepts no taps, but can be closed.
function hold(held) {
  for (const part of sheet.querySelectorAll(":scope > :not(header)")) part.inert = held;
}

async function deliver(command) {
  const body = JSON.stringify(command);
  const headers = { "Content-Type": "application/json", "X-Companion-Token": state().token };
  const unanswered = new AbortController();
  const timeout = setTimeout(() => unanswered.abort(), COMMAND_TIMEOUT);
  try {
    const answer = await fetch(localized(`${BASE}/do`), { method: "POST", headers, body, signal: unanswered.signal });
    if (!answer.ok) showMessage((await answer.json()).error);
    if (!answer.ok && KEEP_OPEN_ON_ERROR.includes(command.do)) return refresh();
  } catch (error) {
    showMessage(age.dataset.unanswered);
  } finally {
    clearTimeout(timeout);
  }
  await refresh();
  const drafting = ["tap", "enter_again"].includes(command.do) && state().status === "drafting";
  const next = command.do === "correct" && document.querySelector("[data-next]");
  const stays = !("touch" in state()) || (sheet.open && sheet.querySelector("[data-stays]"));
  if (drafting && !command.aside && stays) await open(`${BASE}/moves`);
  else if (command.then) await open(command.then);
  else if (next) await open(next.dataset.open);
  else if (sheet.open) sheet.close();
}

function showMessage(text) {
  const inSheet = sheet.open && sheet.querySelector("[data-message]"); // a sheet covers the toast
  if (inSheet) {
    inSheet.textContent = text;
    inSheet.hidden = false;
  }
  toast.textContent = text;
  toast.classList.add("shown");
  clearTimeout(showMessage.timer);
  showMessage.timer = setTimeout(() => toast.classList.remove("shown"), MESSAGE_MS);
}

async function open(path) {
  try {
    const answer = await fetch(localized(path));
    if (!answer.ok) return showMessage((await answer.json()).error);
    sheet.innerHTML = await answer.text();
    sheetTurn = OF_A_TURN.test(path) ? state().turn : null;
    sheet.querySelector("h2").id = "sheet-title"; // names the dialog for screen readers
    sheet.scrollTop = 0;
    ignoreDoubleTaps(sheet);
    if (!sheet.open) sheet.showModal();
    showAwake();
  } catch (error) {
    showAge();
  }
}

// Changes a count by one within its limits.
function step(button) {
  const input = button.parentElement.querySelector("input");
  const by = Number(button.dataset.step);
  const value = Number(input.value) + by;
  if (value >= Number(input.min) && value <= Number(input.max)) input.value = value;
  showChanged(input);
}

// Marks a count that differs from its original value.
function showChanged(input) {
  input.classList.toggle("changed", input.value !== input.defaultValue);
}

document.addEventListener("input", (event) => {
  if (event.target.matches(".stepper input")) showChanged(event.target);
});

document.addEventListener("click", (event) => {
  if (event.target === sheet) return sheet.close(); // a tap outside the sheet
  const stepping = event.target.closest("[data-step]");
  if (stepping) return step(stepping);
  const target = event.target.closest("[data-do]:not(form), [data-open], [data-close]");
  if (!target) return;
  if (target.dataset.do === "press" && event.detail) return; // a pointer, which is handled when it is released
  if (target.dataset.do) send({ ...target.dataset });
  else if (target.dataset.open) {
    if (target.dataset.wait) showMessage(target.dataset.wait);
    open(target.dataset.open);
  }
  else sheet.close();
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(event.target));
  const pressed = event.submitter;
  if (pressed?.name) fields[pressed.name] = pressed.value;
  if ("pin" in event.target.dataset) sendPin(fields);
  else send({ ...event.target.dataset, ...fields });
});

// Lower case without accents, for searching.
function normalized(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

document.addEventListener("input", (event) => {
  if (!("search" in event.target.dataset)) return;
  const terms = normalized(event.target.value).split(" ");
  for (const one of sheet.querySelectorAll("[data-words]")) {
    const words = normalized(one.dataset.words);
    one.hidden = !terms.every((term) => words.includes(term));
  }
});

// With the table's PIN, a guest may play.
async function sendPin(fields) {
  try {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(localized("/pin"), { method: "POST", headers, body: JSON.stringify(fields) });
    if (answer.ok) location.reload();
    else showMessage((await answer.json()).error);
  } catch (error) {
    showAge();
  }
}

// A key of the drawn panel is pressed for as long as the pointer holds it.
document.addEventListener("pointerdown", (event) => {
  const key = event.button === 0 && event.target.closest("[data-do=press]");
  heldKey = key && { key: { ...key.dataset }, since: performance.now() };
});

document.addEventListener("pointerup", () => {
  if (!heldKey) return;
  const ms = Math.round(performance.now() - heldKey.since);
  send(ms < TAP_MS ? heldKey.key : { ...heldKey.key, ms });
  heldKey = null;
});

document.addEventListener("pointercancel", () => { heldKey = null; });

document.addEventListener("contextmenu", (event) => {
  if (event.target.closest("[data-do=press]")) event.preventDefault(); // a long press would open the menu and cancel the pointer
});

document.addEventListener("keydown", (event) => {
  const drawn = event.target.closest("g[data-open], g[data-do]"); // a space of a board: an SVG group that behaves like a button
  if (drawn && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    drawn.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
});

// --- the voice ---

// Identifies the current announcement; the token is part of it because a restarted companion counts from the beginning.
function announcement() {
  return `${state().token} ${state().announced}`;
}

function announce() {
  if (announcement() === announced) return;
  announced = announcement();
  if (speaks()) speak();
}

function speaks() {
  return voice?.getAttribute("aria-pressed") === "true";
}

// Speaks the latest announcement, and stops an older one.
function speak() {
  const text = state().announcement;
  if (!text) return;
  speechSynthesis.cancel();
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = document.documentElement.lang;
  utterance.onerror = (event) => {
    if (event.error === "not-allowed") showMessage(voice.dataset.blocked);
  };
  speechSynthesis.speak(utterance);
}

// While the page speaks, screen readers must not read the changed card as well.
function setVoice(on) {
  voice.setAttribute("aria-pressed", on);
  document.getElementById("card").setAttribute("aria-live", on ? "off" : "polite");
}

// Without local storage, the voice is off at each visit.
function savedVoice() {
  try {
    return localStorage.getItem("voice") === "on";
  } catch (error) {
    return false;
  }
}

function saveVoice(on) {
  try {
    localStorage.setItem("voice", on ? "on" : "off");
  } catch (error) {
    // The choice only lasts for this visit.
  }
}

if (voice && "speechSynthesis" in window) {
  voice.hidden = false;
  setVoice(savedVoice());
  // Speaks at once, as a test; some browsers only let a page speak after such a tap.
  voice.addEventListener("click", () => {
    setVoice(!speaks());
    saveVoice(speaks());
    if (speaks()) speak();
    else speechSynthesis.cancel();
  });
}

// --- keeping the screen on ---

// Browsers only keep the screen on for pages of https and localhost; otherwise the page explains how to set it by hand.
async function stayAwake() {
  if (!("wakeLock" in navigator) || document.visibilityState === "hidden" || wakeLock) return;
  try {
    wakeLock = await navigator.wakeLock.request("screen");
    wakeLock.addEventListener("release", () => { wakeLock = null; });
  } catch (error) {
    wakeLock = null; // a low battery, for instance
  }
}

function showAwake() {
  const hint = document.getElementById("awake");
  if (hint) hint.textContent = wakeLock ? hint.dataset.on : hint.dataset.off;
}

document.addEventListener("visibilitychange", stayAwake);
stayAwake();

// --- layout ---

window.addEventListener("resize", fit);
fit();

// --- connection ---

document.addEventListener("visibilitychange", wakeUp);
window.addEventListener("pageshow", wakeUp);
window.addEventListener("pagehide", leave);
window.addEventListener("online", wakeUp);
setInterval(() => {
  showAge();
  if (failed) refresh();
  if (now() - heardAt > SILENCE) wakeUp();
}, 1000);

document.documentElement.dataset.runs = ""; // see supported.js
