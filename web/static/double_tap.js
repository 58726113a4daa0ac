// A button with data-ignore-double-tap is disabled for a moment when it appears, because the second tap of a double tap
// would press it by accident.
"use strict";

const DISABLED_MS = 700;

function ignoreDoubleTaps(part) {
  for (const button of part.querySelectorAll("[data-ignore-double-tap]")) {
    button.disabled = true;
    setTimeout(() => { button.disabled = false; }, DISABLED_MS);
  }
}
