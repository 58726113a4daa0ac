// Entering a roll: a face for each die, in any order; the last one enters the roll.
"use strict";

let faces = {}; // die -> the face that was tapped
let rollVersion = null; // of the table on which they were tapped

function showFaces() {
  for (const face of document.querySelectorAll("[data-face]")) {
    face.setAttribute("aria-pressed", faces[face.dataset.die] === face.dataset.face);
  }
}

document.addEventListener("click", (event) => {
  const face = event.target.closest("[data-face]");
  if (!face) return;
  faces[face.dataset.die] = face.dataset.face;
  rollVersion = state().version;
  showFaces();
  const rows = document.querySelectorAll("#roll .faces");
  if (Object.keys(faces).length === rows.length) send({ do: "roll", ...faces });
});

// The part may be drawn again while dice are tapped.
document.addEventListener("table", () => {
  if (state().version !== rollVersion) faces = {};
  showFaces();
});
