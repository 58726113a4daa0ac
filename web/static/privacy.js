// Sends the privacy settings and deletions of its forms, then shows what is left, or the page named by a form's data-to.
"use strict";

const DELETED_MS = 3000; // until everything is deleted and the next game can be set up
const MESSAGE_MS = 5000; // for which a message stays

const toast = document.getElementById("toast");
const { token, lost } = document.body.dataset;

function showMessage(text) {
  toast.textContent = text;
  toast.classList.add("shown");
  clearTimeout(showMessage.timer);
  showMessage.timer = setTimeout(() => toast.classList.remove("shown"), MESSAGE_MS);
}

document.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { to, ...command } = { ...event.target.dataset, ...Object.fromEntries(new FormData(event.target)) };
  const headers = { "Content-Type": "application/json", "X-Companion-Token": token };
  const path = `/do?lang=${document.documentElement.lang}`;
  try {
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(command) });
    if (!answer.ok) return showMessage((await answer.json()).error);
    if (to) return location.assign(to);
    if (command.do !== "delete_everything") return location.reload();
    showMessage(toast.dataset.deleted);
    setTimeout(() => location.assign("/"), DELETED_MS);
  } catch (error) {
    showMessage(lost);
  }
});

document.documentElement.dataset.runs = ""; // see supported.js
