// Takes away the line that says that the page does nothing here, where all it needs is there and its own script, which
// comes before this one, has run to its end. Written so that browsers of ten years ago can read it.
(function () {
  "use strict";
  var root = document.documentElement;
  var line = document.getElementById("unsupported");
  var shows = typeof HTMLDialogElement === "function" && "showModal" in HTMLDialogElement.prototype;
  var morphs = !document.querySelector("script[src*=idiomorph]") || "Idiomorph" in window;
  if (root.hasAttribute("data-runs") && shows && morphs) line.parentNode.removeChild(line);
})();
