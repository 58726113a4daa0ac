// What guests see before a game: the PIN lets them join in, and the game opens by itself.
"use strict";

const form = document.getElementById("pin");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await ask("/pin", { pin: form.elements.pin.value })) location.reload();
});

goOnWithout(document.body.dataset.here);

document.documentElement.dataset.runs = ""; // see supported.js
