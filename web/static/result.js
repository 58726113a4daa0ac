// Saves the result as a PNG: the companion draws it as SVG, and the browser turns it into pixels. Or goes on with the
// game.
"use strict";

const SCALE = 2; // pixels of the PNG for one of the drawing

const WAIT = 1500; // milliseconds until the other game is on the table

const button = document.getElementById("png");
const goOn = document.getElementById("go-on");

goOn?.addEventListener("click", async () => {
  const { game, token } = goOn.dataset;
  const headers = { "Content-Type": "application/json", "X-Companion-Token": token };
  const answer = await fetch("/do", { method: "POST", headers, body: JSON.stringify({ do: "go_on", game }) });
  if (answer.ok) setTimeout(() => location.assign("/"), WAIT);
  else tell((await answer.json()).error);
});

function tell(text) {
  const say = document.getElementById("say");
  say.textContent = text;
  say.classList.add("shown");
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
    tell(document.getElementById("say").dataset.failed);
  };
  picture.src = button.dataset.picture;
});

document.documentElement.dataset.runs = ""; // see supported.js
