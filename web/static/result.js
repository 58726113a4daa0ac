// The result of a game: saves it as a PNG, which the companion draws as SVG and the browser turns into pixels; continues
// it if it is unfinished; and asks before all devices leave it for the next game.
"use strict";

const SCALE = 2; // pixels of the PNG for one of the drawing
const SWITCH_MS = 1500; // until the other game, or the setup form, is on the table

const png = document.getElementById("png");
const sheet = document.getElementById("sheet");
const { token, lost } = document.body.dataset;

function localized(path) {
  return `${path}?lang=${document.documentElement.lang}`;
}

function showMessage(text) {
  const toast = document.getElementById("toast");
  toast.textContent = text;
  toast.classList.add("shown");
}

async function open(path) {
  const answer = await fetch(localized(path));
  if (!answer.ok) return showMessage((await answer.json()).error);
  sheet.innerHTML = await answer.text();
  sheet.querySelector("h2").id = "sheet-title"; // names the dialog for screen readers
  ignoreDoubleTaps(sheet);
  sheet.showModal();
}

// Sends a command by which all devices leave this page's game.
async function send(command) {
  const headers = { "Content-Type": "application/json", "X-Companion-Token": token };
  const answer = await fetch(localized("/do"), { method: "POST", headers, body: JSON.stringify(command) });
  if (answer.ok) return setTimeout(() => location.assign("/"), SWITCH_MS);
  sheet.close();
  showMessage((await answer.json()).error);
}

document.addEventListener("click", async (event) => {
  if (event.target === sheet) return sheet.close(); // a tap outside the sheet
  const target = event.target.closest("[data-do], [data-open], [data-close]");
  if (!target) return;
  try {
    if (target.dataset.do) await send({ ...target.dataset });
    else if (target.dataset.open) {
      if (target.dataset.wait) showMessage(target.dataset.wait);
      await open(target.dataset.open);
    }
    else sheet.close();
  } catch (error) {
    showMessage(lost);
  }
});

png.addEventListener("click", () => {
  const picture = new Image();
  picture.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = SCALE * picture.naturalWidth;
    canvas.height = SCALE * picture.naturalHeight;
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    const link = document.createElement("a");
    link.download = png.dataset.name;
    link.href = canvas.toDataURL("image/png");
    link.click();
  };
  picture.onerror = () => {
    showMessage(document.getElementById("toast").dataset.failed);
  };
  picture.src = png.dataset.picture;
});

document.documentElement.dataset.runs = ""; // see supported.js
