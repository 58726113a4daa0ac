// Saves the result as a PNG: the companion draws it as SVG, and the browser turns it into pixels.
"use strict";

const SCALE = 2; // pixels of the PNG for one of the drawing

const button = document.getElementById("png");

button.addEventListener("click", () => {
  const picture = new Image();
  picture.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = SCALE * picture.naturalWidth;
    canvas.height = SCALE * picture.naturalHeight;
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    const link = document.createElement("a");
    link.download = button.dataset.name;
    link.href = canvas.toDataURL("image/png");
    link.click();
  };
  picture.onerror = () => {
    const say = document.getElementById("say");
    say.textContent = say.dataset.failed;
    say.classList.add("shown");
  };
  picture.src = button.dataset.picture;
});
