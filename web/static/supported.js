// Removes the "this page does nothing here" line if the browser has everything the page needs and the page's own script,
// which comes before this one, has run to its end. Written so that ten-year-old browsers can parse it.
(function () {
  "use strict";
  var root = document.documentElement;
  var line = document.getElementById("unsupported");
  var shows = typeof HTMLDialogElement === "function" && "showModal" in HTMLDialogElement.prototype;
  var morphs = !document.querySelector("script[src*=idiomorph]") || "Idiomorph" in window;
  if (root.hasAttribute("data-runs") && shows && morphs) line.parentNode.removeChild(line);
})();
