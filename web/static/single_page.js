// What the pages before a game share: asking the companion, telling what it answers, and going on to what comes next.
"use strict";

const SAYING = 5000; // milliseconds for which a message stays ...
const READING = 60; // ... and for each of its letters
const ONWARD = 600; // milliseconds between looks whether something else has this page's address

const say = document.getElementById("say");

// A path of the companion, answered in the page's language even where cookies are off.
function local(path) {
  return `${path}${path.includes("?") ? "&" : "?"}lang=${document.documentElement.lang}`;
}

function tell(text, { stays = false } = {}) {
  say.textContent = text;
  say.classList.add("shown");
  clearTimeout(tell.timer);
  if (!stays) tell.timer = setTimeout(() => say.classList.remove("shown"), SAYING + READING * text.length);
}

// What the companion answers; nothing where it refuses or is silent, which is told.
async function ask(path, body) {
  const sent = body && {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Token": document.body.dataset.token },
    body: JSON.stringify(body),
  };
  try {
    const answer = await fetch(local(path), sent);
    const json = answer.headers.get("Content-Type").includes("json");
    const told = json ? await answer.json() : await answer.text();
    if (answer.ok) return told;
    tell(told.error);
  } catch (error) {
    tell(document.body.dataset.lost);
  }
  return null;
}

// What comes next has the same address, and not the path that is this page's own. Between the two nobody answers.
// *leaving* is called before this page goes.
function goOnWithout(path, leaving = () => {}) {
  setInterval(async () => {
    try {
      if ((await fetch(path)).status !== 404) return;
      leaving();
      location.replace(local("/"));
    } catch (error) {
      // Not yet.
    }
  }, ONWARD);
}
