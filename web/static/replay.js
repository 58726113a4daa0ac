// Arrow keys step through a game like the links.
"use strict";

const LINKS = { ArrowLeft: "prev", ArrowRight: "next" };

document.addEventListener("keydown", (event) => {
  const link = LINKS[event.key] && document.querySelector(`a[rel=${LINKS[event.key]}]`);
  if (link) link.click();
});

document.documentElement.dataset.runs = ""; // see supported.js
