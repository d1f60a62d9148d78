// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Values under the pointer. Diagrams are read back from their own lines, heat maps from their own pixels.

let tip = null;

function showTip(event, text) {
  if (!tip) {
    tip = document.createElement("div");
    tip.className = "tip";
    document.body.append(tip);
  }
  tip.hidden = false;
  tip.textContent = text;
  const width = document.documentElement.clientWidth;
  tip.style.left = Math.max(4, Math.min(event.pageX + 14, width - tip.offsetWidth - 8)) + "px";
  tip.style.top = event.pageY + 16 + "px";
}

function hideTip() {
  if (tip) tip.hidden = true;
}

/** Corners of a path that has M and L only. */
function cornersOf(path) {
  const numbers = path.getAttribute("d").match(/-?[\d.]+/g) || [];
  const corners = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) corners.push([+numbers[i], +numbers[i + 1]]);
  return corners;
}

/** Height of a line at x; none outside it. */
function heightAt(corners, x) {
  let low = 0;
  let high = corners.length - 1;
  if (high < 0 || x < corners[0][0] - 1 || x > corners[high][0] + 1) return null;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (corners[middle][0] <= x) low = middle;
    else high = middle;
  }
  const [x0, y0] = corners[low];
  const [x1, y1] = corners[high];
  return x1 > x0 ? y0 + (y1 - y0) * Math.min(1, Math.max(0, (x - x0) / (x1 - x0))) : y1;
}

function setUpPlotTips(plot) {
  const lines = [...plot.querySelectorAll(".line")].map((path) => ({ name: path.dataset.name, path, corners: null }));
  if (lines.length === 0) return;
  const [left, top, width, height] = plot.dataset.box.split(" ").map(Number);
  const [x0, x1, y0, y1] = plot.dataset.range.split(" ").map(Number);
  const cross = document.createElementNS("http://www.w3.org/2000/svg", "path");
  cross.setAttribute("class", "cross");
  plot.addEventListener("pointermove", (event) => {
    const box = plot.getBoundingClientRect();
    const x = (event.clientX - box.left) * (plot.viewBox.baseVal.width / box.width);
    if (x < left || x > left + width) return;
    const rows = [plot.dataset.x + ": " + shortNumber(x0 + ((x - left) / width) * (x1 - x0))];
    for (const line of lines) {
      line.corners ||= cornersOf(line.path);
      const y = heightAt(line.corners, x);
      if (y !== null) rows.push(line.name + ": " + shortNumber(y0 + (1 - (y - top) / height) * (y1 - y0)));
    }
    cross.setAttribute("d", `M${x} ${top}v${height}`);
    plot.append(cross);
    showTip(event, rows.join("\n"));
  });
  plot.addEventListener("pointerleave", () => {
    cross.remove();
    hideTip();
  });
}

function setUpHeatTips(map, palette) {
  const image = map.querySelector(".heat");
  if (!image) return;
  let pixels = null;
  const load = async () => {
    const picture = new Image();
    picture.src = image.getAttribute("href");
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = picture.naturalWidth;
    canvas.height = picture.naturalHeight;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(picture, 0, 0);
    pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  };
  const values = new Map();
  for (let i = 0; i < palette.length / 6; i++) {
    const colour = parseInt(palette.slice(6 * i, 6 * i + 6), 16);
    if (!values.has(colour)) values.set(colour, i / (palette.length / 6 - 1));
  }
  map.addEventListener("pointerenter", () => pixels || load().catch(() => {}));
  map.addEventListener("pointermove", (event) => {
    if (!pixels) return;
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    const number = (name) => Number(image.getAttribute(name));
    const column = Math.floor(((place.x - number("x")) / number("width")) * pixels.width);
    const row = Math.floor(((place.y - number("y")) / number("height")) * pixels.height);
    hideTip();
    if (column < 0 || row < 0 || column >= pixels.width || row >= pixels.height) return;
    const at = 4 * (row * pixels.width + column);
    if (pixels.data[at + 3] === 0) return;
    const part = values.get((pixels.data[at] << 16) | (pixels.data[at + 1] << 8) | pixels.data[at + 2]);
    if (part === undefined) return;
    const value = Number(image.dataset.top) * part;
    showTip(event, (part === 1 ? "≥ " : "") + shortNumber(value) + " " + map.closest("[data-unit]").dataset.unit);
  });
  map.addEventListener("pointerleave", hideTip);
}

function setUpTips() {
  document.querySelectorAll(".plot").forEach(setUpPlotTips);
  const shared = byId("shared");
  if (!shared) return;
  const palette = JSON.parse(shared.textContent).palette;
  document.querySelectorAll("[data-unit] .map").forEach((map) => setUpHeatTips(map, palette));
}
