// The live stream. One tab of a browser owns it and forwards its messages to the others: each stream occupies a connection,
// a browser opens only six to a host, and the seventh tab would wait for ever. The owner is the tab that was visible last.
// Everything here works over plain http: web locks would not, and Android has no shared workers.
"use strict";

const HANDOVER = 250; // milliseconds within which a visible tab takes over from one that was closed ...
const LATE = 1500; // ... and for which a hidden tab waits for that
const tabs = new BroadcastChannel(`table${document.body.dataset.base ?? ""} ${document.documentElement.lang}`);

let stream = null; // in the tab that owns it
let turn = [0, 0]; // when this tab last took the stream, in milliseconds since 1970, and a number unique to the tab
let handover; // timer of a tab that is about to take the stream
let heardAt = 0; // when any tab last heard from the companion, in seconds of the page's own clock

// Takes the stream, or reopens it.
function listen() {
  clearTimeout(handover);
  stream?.close();
  heardAt = now();
  turn = [Date.now(), Math.random()];
  tabs.postMessage({ turn });
  stream = new EventSource(tableUrl(`${BASE}/events`));
  stream.onmessage = (event) => {
    tabs.postMessage({ table: event.data });
    hear(event.data);
  };
  // The companion closed it: another game or the setup form may have replaced this one. A request finds out at once.
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

// Another tab has taken the stream. If two tabs take it at once, the later one keeps it and announces that again.
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

// This tab is closed, or loads another page.
function leave() {
  clearTimeout(handover);
  if (!stream) return;
  stream.close();
  stream = null;
  tabs.postMessage({ left: true });
}

// Not before all scripts of the page have run: another tab may say something between two of them.
addEventListener("DOMContentLoaded", () => {
  tabs.addEventListener("message", ({ data }) => {
    if (data.table) hear(data.table);
    if (data.turn) giveWay(data.turn);
    if (data.left) takeOver();
    if (data.broken) refresh();
  });
});
