// The live stream. One tab of a browser has it, and passes on to the others what it hears: each stream keeps a connection,
// of which a browser opens six to a host, and the seventh tab would wait for ever. That tab is the one that was looked at
// last. Nothing here needs more than plain http: web locks would, and Android has no shared workers.
"use strict";

const HANDOVER = 250; // milliseconds within which a tab that is seen takes over from one that was closed ...
const LATE = 1500; // ... and up to which one that is hidden waits for that
const tabs = new BroadcastChannel(`table ${document.documentElement.lang}`);

let stream = null; // in the tab that has it
let turn = [0, 0]; // when this tab took it last, in milliseconds since 1970, and a number that no other tab has
let handover; // the timer of a tab that is about to take it
let heardAt = 0; // when the companion was last heard by any tab, by the page's own clock in seconds

// Takes the stream, or opens it anew.
function listen() {
  clearTimeout(handover);
  stream?.close();
  heardAt = now();
  turn = [Date.now(), Math.random()];
  tabs.postMessage({ turn });
  stream = new EventSource(anew("/events"));
  stream.onmessage = (event) => {
    tabs.postMessage({ table: event.data });
    hear(event.data);
  };
  // Ended by the companion, another game or "Who plays?" may have taken its place: a question tells at once.
  stream.onerror = () => {
    tabs.postMessage({ broken: true });
    refresh();
  };
}

function hear(table) {
  heardAt = now();
  show(table);
  showAge();
}

// Another tab has taken it. Of two that do so at once the later one keeps it, and says so once more.
function giveWay([at, number]) {
  const later = turn[0] > at || (turn[0] === at && turn[1] > number);
  if (stream && later) return tabs.postMessage({ turn });
  clearTimeout(handover);
  stream?.close();
  stream = null;
  heardAt = now();
}

function takeOver() {
  const hidden = document.visibilityState === "hidden";
  clearTimeout(handover);
  handover = setTimeout(listen, hidden ? HANDOVER + Math.random() * (LATE - HANDOVER) : Math.random() * HANDOVER);
}

// This tab is closed, or shows another page.
function leave() {
  clearTimeout(handover);
  if (!stream) return;
  stream.close();
  stream = null;
  tabs.postMessage({ left: true });
}

tabs.addEventListener("message", ({ data }) => {
  if (data.table) hear(data.table);
  if (data.turn) giveWay(data.turn);
  if (data.left) takeOver();
  if (data.broken) refresh();
});
