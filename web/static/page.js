// The page's only script: it fetches the table anew whenever the companion says that something has changed, sends what
// is tapped, and says how old what it shows is. Everything that is shown is made by the companion.
"use strict";

const SILENCE = 15; // seconds without a word from the companion after which the stream is opened anew (heartbeat: 10)
const SAYING = 4000; // milliseconds for which a message stays
const TAP = 250; // milliseconds: a key of the drawn panel that is let go earlier is pressed as shortly as can be

const table = document.getElementById("table");
const sheet = document.getElementById("sheet");
const say = document.getElementById("say");
const age = document.getElementById("age");

let stream = null;
let heardAt = 0; // when the companion was last heard, by the page's own clock in seconds
let shownAt = now();
let refreshing = null;
let again = false;
let sending = Promise.resolve();
let finger = null; // the key of the drawn panel that is held down, and since when

function now() {
  return performance.now() / 1000;
}

function state() {
  return document.getElementById("state").dataset;
}

// A path of the companion, answered in the page's language even where cookies are off.
function local(path) {
  return `${path}?lang=${document.documentElement.lang}`;
}

// --- what is shown ---

// Fetches the table; the promise is kept when what is shown is at least as new as the call.
function refresh() {
  again = true;
  refreshing ??= fetchTable().finally(() => {
    refreshing = null;
    showAge();
  });
  return refreshing;
}

async function fetchTable() {
  try {
    while (again) {
      again = false;
      const answer = await fetch(local("/table"));
      if (!answer.ok) return;
      Idiomorph.morph(table, await answer.text(), { morphStyle: "innerHTML" });
      shownAt = now();
    }
  } catch (error) {
    // No contact: the badge says so, and the next heartbeat or look tries again.
  }
}

function showAge() {
  const seconds = Math.round(now() - shownAt);
  const lost = seconds > SILENCE;
  age.textContent = (lost ? age.dataset.lost : age.dataset.updated).replace("{seconds}", seconds);
  age.classList.toggle("lost", lost);
}

function listen() {
  if (stream) stream.close();
  heardAt = now();
  stream = new EventSource("/events");
  stream.onmessage = () => {
    heardAt = now();
    refresh();
  };
}

function wakeUp() {
  if (document.visibilityState === "hidden") return;
  refresh();
  listen();
}

// --- what is tapped ---

// One command after the other; each is about the state that was shown when it was tapped.
function send(fields) {
  const command = { ...fields, version: state().version };
  sending = sending.then(() => deliver(command));
}

async function deliver(command) {
  const body = JSON.stringify(command);
  const headers = { "Content-Type": "application/json", "X-Companion-Token": state().token };
  try {
    const answer = await fetch(local("/do"), { method: "POST", headers, body });
    if (!answer.ok) tell((await answer.json()).error);
  } catch (error) {
    showAge();
  }
  await refresh();
  const goesOn = ["tap", "enter_again"].includes(command.do) && state().status === "drafting";
  const next = command.do === "correct" && document.querySelector("[data-next]");
  if (goesOn) await open("/moves");
  else if (next) await open(next.dataset.open);
  else if (sheet.open) sheet.close();
}

function tell(text) {
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
    sheet.scrollTop = 0;
    if (!sheet.open) sheet.showModal();
  } catch (error) {
    showAge();
  }
}

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-do], [data-open], [data-close]");
  if (event.target === sheet) return sheet.close(); // beside the sheet
  if (!target) return;
  if (target.dataset.do === "press" && event.detail) return; // by a finger, which is told when it is let go
  if (target.dataset.do) send({ ...target.dataset });
  else if (target.dataset.open) open(target.dataset.open);
  else sheet.close();
});

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
  const drawn = event.target.closest("g[data-open]"); // a space of a duchy: no button, though it behaves like one
  if (drawn && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    open(drawn.dataset.open);
  }
});

// --- staying in touch ---

document.addEventListener("visibilitychange", wakeUp);
window.addEventListener("pageshow", wakeUp);
window.addEventListener("online", wakeUp);
setInterval(() => {
  showAge();
  if (now() - heardAt > SILENCE) wakeUp();
}, 1000);
