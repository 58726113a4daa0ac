// What is not done by a slip of the finger: a button marked data-sure waits for a moment when it appears, for the second
// tap of a double one would land on it.
"use strict";

const SURE = 700; // milliseconds

function waitToBeSure(part) {
  for (const button of part.querySelectorAll("[data-sure]")) {
    button.disabled = true;
    setTimeout(() => { button.disabled = false; }, SURE);
  }
}
