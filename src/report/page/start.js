// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
"use strict";

document.documentElement.classList.add("scripted");

const byId = (id) => document.getElementById(id);

// What the address asks for after #: theme=dark, t=30 (the moment shown first, in seconds).
const wanted = new URLSearchParams(location.hash.slice(1));

/** A number for a person: three digits that count, thousands apart. */
function shortNumber(value) {
  if (!isFinite(value)) return "–";
  const size = Math.abs(value);
  const decimals = size >= 100 || size === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(size)));
  return value.toLocaleString("en-GB", { maximumFractionDigits: Math.min(decimals, 6) });
}

function setUpTheme() {
  const button = byId("theme");
  const themes = ["system", "light", "dark"];
  let theme = themes.includes(wanted.get("theme")) ? wanted.get("theme") : "system";
  const show = () => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = "Theme: " + theme;
    document.dispatchEvent(new Event("themechange"));
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
}

document.addEventListener("DOMContentLoaded", () => {
  setUpTheme();
  setUpPlayer();
  setUpTips();
});
