// A phone that waits while people choose who plays.
"use strict";

followWhenGone(document.body.dataset.ownPath, () => {}, document.body.dataset.next);
document.documentElement.dataset.runs = ""; // the page works
