// What the pages before a game share: requests to the companion, messages, and leaving for the page that comes next.
"use strict";

const MESSAGE_MS = 5000; // for which a message stays ...
const LETTER_MS = 60; // ... plus this for each of its letters
const POLL_MS = 600; // between checks whether another page has this address now

const toast = document.getElementById("toast");

// Adds the page's language to *path*, for browsers without cookies.
function localized(path) {
  return `${path}${path.includes("?") ? "&" : "?"}lang=${document.documentElement.lang}`;
}

function showMessage(text, { stays = false } = {}) {
  toast.textContent = text;
  toast.classList.add("shown");
  clearTimeout(showMessage.timer);
  if (!stays) showMessage.timer = setTimeout(() => toast.classList.remove("shown"), MESSAGE_MS + LETTER_MS * text.length);
}

// Returns the companion's answer; null if it refuses or does not answer, which is then shown.
async function request(path, body) {
  const sent = body && {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Token": document.body.dataset.token },
    body: JSON.stringify(body),
  };
  try {
    const answer = await fetch(localized(path), sent);
    const json = answer.headers.get("Content-Type").includes("json");
    const content = json ? await answer.json() : await answer.text();
    if (answer.ok) return content;
    showMessage(content.error);
  } catch (error) {
    showMessage(document.body.dataset.lost);
  }
  return null;
}

// Loads the page that takes over this address, once it no longer answers *path*, which only this page has. In between,
// nothing answers. Calls *beforeLeaving* first; *next* is what is loaded.
function followWhenGone(path, beforeLeaving = () => {}, next = "/") {
  setInterval(async () => {
    try {
      if ((await fetch(path)).status !== 404) return;
      beforeLeaving();
      location.replace(localized(next));
    } catch (error) {
      // Nothing answers yet: try again.
    }
  }, POLL_MS);
}
