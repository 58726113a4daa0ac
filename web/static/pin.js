// What guests see before a game: they enter the PIN to join, and the game opens automatically.
"use strict";

const form = document.getElementById("pin");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await request("/pin", { pin: form.elements.pin.value })) location.reload();
});

followWhenGone(document.body.dataset.ownPath);

document.documentElement.dataset.runs = ""; // see supported.js
