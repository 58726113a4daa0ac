// The page's script: it shows what the companion streams (see stream.js) whenever something has changed, sends what is tapped,
// reads announcements aloud, and says how old what it shows is. Everything that is shown or read is made by the companion.
"use strict";

const SILENCE = 15; // seconds without a word from the companion after which the stream is opened anew (heartbeat: 10)
const PATIENCE = 3000; // milliseconds after which an answer is given up: what a lost network has swallowed never comes
const LONGEST = 10_000; // milliseconds for what is sent: a key of the drawn panel is answered when it is let go
const SAYING = 4000; // milliseconds for which a message stays
const TAP = 250; // milliseconds: a key of the drawn panel that is let go earlier is pressed as shortly as can be
const KEPT_OPEN = ["adjust", "call"]; // what was filled in is not lost when it is refused
const sheet = document.getElementById("sheet");
const say = document.getElementById("say");
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
let asking = null; // what calls off the question that is on its way
let failed = false; // whether the last one was not answered
let sending = Promise.resolve();
let awake = null; // what keeps the screen on
let finger = null; // the key of the drawn panel that is held down, and since when
let announced = announcement(); // what the page was opened with is old news

function now() {
  return performance.now() / 1000;
}

function state() {
  return document.getElementById("state").dataset;
}

// A path of the companion, answered in the page's language even where cookies are off.
function local(path, fields = {}) {
  return `${path}?${new URLSearchParams({ lang: document.documentElement.lang, ...fields })}`;
}

// The same for what brings the table: parts that are shown already are left out.
function anew(path) {
  return local(path, { shown: state().parts });
}

// --- what is shown ---

// Fetches what is not shown yet; the promise is kept when what is shown is at least as new as the call.
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
    asking = new AbortController();
    const patience = setTimeout(() => {
      failed = true;
      asking.abort();
    }, PATIENCE);
    try {
      const answer = await fetch(anew("/table"), { signal: asking.signal });
      if (answer.status === 404) return location.reload(); // another game has begun, or is being set up
      if (!answer.ok) return;
      show(await answer.text());
    } catch (error) {
      if (!again) failed = true; // No contact: the badge says so, and it is tried again every second.
    } finally {
      clearTimeout(patience);
    }
  }
}

// Shows the table as the companion has it now. Where it sends but the tag of a part, that part is shown already; if it
// is not, because something else has come meanwhile, the table is fetched.
function show(html) {
  failed = false;
  const given = new DOMParser().parseFromString(html, "text/html");
  const fresh = given.getElementById("state");
  const { token, version, parts } = state();
  if (fresh.dataset.token === token && Number(fresh.dataset.version) < Number(version)) return; // overtaken
  const same = [...given.querySelectorAll("[data-same]")].map((part) => part.dataset.same);
  if (!same.every((tag) => parts.split(" ").includes(tag))) {
    refresh();
    return;
  }
  Idiomorph.morph(document.getElementById("state"), fresh, MORPH);
  shownAt = now();
  fit();
  announce();
}

// Where the card has no room for all that it says, that is set closer together; what is still left is scrolled to.
function fit() {
  const said = document.querySelector(".said");
  for (const density of [0, 1, 2, 3]) {
    document.body.dataset.density = density;
    if (said.scrollHeight <= said.clientHeight) return;
  }
  said.tabIndex = 0; // for the arrow keys
}

// How old what is shown is, whatever the stream believes of itself.
function showAge() {
  const seconds = Math.round(now() - shownAt);
  const lost = failed || seconds > SILENCE;
  age.textContent = (lost ? age.dataset.lost : age.dataset.updated).replace("{seconds}", seconds);
  if (lost && !age.classList.contains("lost") && !say.classList.contains("shown")) tell(age.textContent);
  age.classList.toggle("lost", lost);
}

// What was on its way before a sleep, or while the network was away, may never come.
function wakeUp() {
  if (document.visibilityState === "hidden") return;
  asking?.abort();
  refresh();
  listen();
}

// --- what is tapped ---

// One command after the other; each is about the state that was shown when it was tapped.
function send(fields) {
  const command = { ...fields, version: state().version };
  const focused = document.activeElement;
  hold(sheet.open);
  sending = sending.then(() => deliver(command)).finally(() => {
    hold(false);
    if (sheet.contains(focused) && !sheet.contains(document.activeElement)) focused.focus();
  });
}

// A sheet shows what could be done before: while a tap is on its way it takes no other, but can be closed.
function hold(held) {
  for (const part of sheet.querySelectorAll(":scope > :not(header)")) part.inert = held;
}

async function deliver(command) {
  const body = JSON.stringify(command);
  const headers = { "Content-Type": "application/json", "X-Companion-Token": state().token };
  const unanswered = new AbortController();
  const patience = setTimeout(() => unanswered.abort(), LONGEST);
  try {
    const answer = await fetch(local("/do"), { method: "POST", headers, body, signal: unanswered.signal });
    if (!answer.ok) tell((await answer.json()).error);
    if (!answer.ok && KEPT_OPEN.includes(command.do)) return refresh();
  } catch (error) {
    tell(age.dataset.unanswered);
  } finally {
    clearTimeout(patience);
  }
  await refresh();
  const goesOn = ["tap", "enter_again"].includes(command.do) && state().status === "drafting";
  const next = command.do === "correct" && document.querySelector("[data-next]");
  if (goesOn) await open("/moves");
  else if (next) await open(next.dataset.open);
  else if (sheet.open) sheet.close();
}

function tell(text) {
  const within = sheet.open && sheet.querySelector("[data-said]"); // a sheet covers the message below
  if (within) {
    within.textContent = text;
    within.hidden = false;
  }
  say.textContent = text;
  say.classList.add("shown");
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => say.classList.remove("shown"), SAYING);
}

async function open(path) {
  try {
    const answer = await fetch(local(path));
    if (!answer.ok) return tell((await answer.json()).error);
    sheet.innerHTML = await answer.text();
    sheet.querySelector("h2").id = "sheet-title"; // which names the dialog to screen readers
    sheet.scrollTop = 0;
    waitToBeSure(sheet);
    if (!sheet.open) sheet.showModal();
    showAwake();
  } catch (error) {
    showAge();
  }
}

// One more or less of what is counted, as far as that is possible.
function step(button) {
  const input = button.parentElement.querySelector("input");
  const by = Number(button.dataset.step);
  const wanted = Number(input.value) + by;
  if (wanted >= Number(input.min) && wanted <= Number(input.max)) input.value = wanted;
  showChanged(input);
}

// A count that differs from what it was is marked.
function showChanged(input) {
  input.classList.toggle("changed", input.value !== input.defaultValue);
}

document.addEventListener("input", (event) => {
  if (event.target.matches(".stepper input")) showChanged(event.target);
});

document.addEventListener("click", (event) => {
  if (event.target === sheet) return sheet.close(); // beside the sheet
  const stepping = event.target.closest("[data-step]");
  if (stepping) return step(stepping);
  const target = event.target.closest("[data-do]:not(form), [data-open], [data-close]");
  if (!target) return;
  if (target.dataset.do === "press" && event.detail) return; // by a finger, which is told when it is let go
  if (target.dataset.do) send({ ...target.dataset });
  else if (target.dataset.open) open(target.dataset.open);
  else sheet.close();
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(event.target));
  const pressed = event.submitter;
  if (pressed?.name) fields[pressed.name] = pressed.value;
  if ("pin" in event.target.dataset) tellPin(fields);
  else send({ ...event.target.dataset, ...fields });
});

// What is searched for in a sheet, in any letters: accents and capitals do not matter.
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

document.addEventListener("input", (event) => {
  if (!("search" in event.target.dataset)) return;
  const wanted = plain(event.target.value).split(" ");
  for (const one of sheet.querySelectorAll("[data-words]")) {
    const words = plain(one.dataset.words);
    one.hidden = !wanted.every((word) => words.includes(word));
  }
});

// With the table's PIN, whoever looks on may play.
async function tellPin(fields) {
  try {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(local("/pin"), { method: "POST", headers, body: JSON.stringify(fields) });
    if (answer.ok) location.reload();
    else tell((await answer.json()).error);
  } catch (error) {
    showAge();
  }
}

// The drawn panel's keys: held for as long here as at the pin.
document.addEventListener("pointerdown", (event) => {
  const key = event.button === 0 && event.target.closest("[data-do=press]");
  finger = key && { key: { ...key.dataset }, since: performance.now() };
});

document.addEventListener("pointerup", () => {
  if (!finger) return;
  const ms = Math.round(performance.now() - finger.since);
  send(ms < TAP ? finger.key : { ...finger.key, ms });
  finger = null;
});

document.addEventListener("pointercancel", () => { finger = null; });

document.addEventListener("contextmenu", (event) => {
  if (event.target.closest("[data-do=press]")) event.preventDefault(); // it would take away a finger that holds a key
});

document.addEventListener("keydown", (event) => {
  const drawn = event.target.closest("g[data-open], g[data-do]"); // a space of a duchy: no button, though it behaves like one
  if (drawn && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    drawn.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
});

// --- the voice ---

// Which announcement the page holds; a companion that was started anew counts from the beginning.
function announcement() {
  return `${state().token} ${state().announced}`;
}

function announce() {
  if (announcement() === announced) return;
  announced = announcement();
  if (speaks()) speak();
}

function speaks() {
  return voice.getAttribute("aria-pressed") === "true";
}

// Says the latest announcement; what was being said is out of date.
function speak() {
  const text = state().announcement;
  if (!text) return;
  speechSynthesis.cancel();
  const saying = new SpeechSynthesisUtterance(text);
  saying.lang = document.documentElement.lang;
  saying.onerror = (event) => {
    if (event.error === "not-allowed") tell(voice.dataset.blocked);
  };
  speechSynthesis.speak(saying);
}

// While the page speaks, screen readers do not read out the card, too, whenever it changes.
function setVoice(on) {
  voice.setAttribute("aria-pressed", on);
  document.getElementById("card").setAttribute("aria-live", on ? "off" : "polite");
}

// Where a browser keeps nothing for the page, the voice is off at each visit.
function remembered() {
  try {
    return localStorage.getItem("voice") === "on";
  } catch (error) {
    return false;
  }
}

function remember(on) {
  try {
    localStorage.setItem("voice", on ? "on" : "off");
  } catch (error) {
    // It holds for this visit.
  }
}

if ("speechSynthesis" in window) {
  voice.hidden = false;
  setVoice(remembered());
  // Said at once, so that one hears that it works; some browsers let a page speak only after a tap like this.
  voice.addEventListener("click", () => {
    setVoice(!speaks());
    remember(speaks());
    if (speaks()) speak();
    else speechSynthesis.cancel();
  });
}

// --- staying awake ---

// Browsers keep the screen on for pages of https and of this very machine; others say how to do it by hand.
async function stayAwake() {
  if (!("wakeLock" in navigator) || document.visibilityState === "hidden" || awake) return;
  try {
    awake = await navigator.wakeLock.request("screen");
    awake.addEventListener("release", () => { awake = null; });
  } catch (error) {
    awake = null; // a low battery, for instance
  }
}

function showAwake() {
  const told = document.getElementById("awake");
  if (told) told.textContent = awake ? told.dataset.on : told.dataset.off;
}

document.addEventListener("visibilitychange", stayAwake);
stayAwake();

// --- the room there is ---

window.addEventListener("resize", fit);
fit();

// --- staying in touch ---

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
