// Saves the result as a PNG: the companion draws it as SVG, and the browser turns it into pixels. Also resumes an
// unfinished game.
"use strict";

const SCALE = 2; // pixels of the PNG for one of the drawing

const SWITCH_MS = 1500; // until the other game is on the table

const button = document.getElementById("png");
const resume = document.getElementById("resume");

resume?.addEventListener("click", async () => {
  const { game, token } = resume.dataset;
  const headers = { "Content-Type": "application/json", "X-Companion-Token": token };
  const answer = await fetch("/do", { method: "POST", headers, body: JSON.stringify({ do: "go_on", game }) });
  if (answer.ok) setTimeout(() => location.assign("/"), SWITCH_MS);
  else showMessage((await answer.json()).error);
});

function showMessage(text) {
  const toast = document.getElementById("toast");
  toast.textContent = text;
  toast.classList.add("shown");
}

button.addEventListener("click", () => {
  const picture = new Image();
  picture.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = SCALE * picture.naturalWidth;
    canvas.height = SCALE * picture.naturalHeight;
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    const link = document.createElement("a");
    link.download = button.dataset.name;
    link.href = canvas.toDataURL("image/png");
    link.click();
  };
  picture.onerror = () => {
    showMessage(document.getElementById("toast").dataset.failed);
  };
  picture.src = button.dataset.picture;
});

document.documentElement.dataset.runs = ""; // see supported.js
