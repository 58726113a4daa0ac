// Sends what is chosen about what is kept, and shows what is left of it, or goes on to the page that a form names.
"use strict";

const ONWARD = 3000; // milliseconds until everything is deleted and the next game can be set up
const SAYING = 5000; // milliseconds for which a message stays

const say = document.getElementById("say");
const { token, lost } = document.body.dataset;

function tell(text) {
  say.textContent = text;
  say.classList.add("shown");
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => say.classList.remove("shown"), SAYING);
}

document.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { to, ...command } = { ...event.target.dataset, ...Object.fromEntries(new FormData(event.target)) };
  const headers = { "Content-Type": "application/json", "X-Companion-Token": token };
  const path = `/do?lang=${document.documentElement.lang}`;
  try {
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(command) });
    if (!answer.ok) return tell((await answer.json()).error);
    if (to) return location.assign(to);
    if (command.do !== "delete_everything") return location.reload();
    tell(say.dataset.deleted);
    setTimeout(() => location.assign("/"), ONWARD);
  } catch (error) {
    tell(lost);
  }
});

document.documentElement.dataset.runs = ""; // see supported.js
