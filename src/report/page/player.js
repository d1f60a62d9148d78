// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The animation: one stage for each run, one clock and one set of controls for all of them.

const kSteps = 16; // colours of a scale
const kTrailSeconds = 4;

/** The longest of 1, 2 and 5 times a power of ten that is no longer. */
function roundLength(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * [5, 2, 1].find((factor) => factor * power <= most || factor === 1);
}

function styleColours() {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue("--" + name).trim();
  const colours = { groups: [0, 1, 2, 3, 4, 5].map((i) => get("s" + i)), isDark: get("theme") === "dark" };
  for (const name of ["ink", "floor", "wall", "exit", "door", "zone", "place", "body", "trail", "card", "rim", "unknown"]) colours[name] = get(name);
  return colours;
}

/** People within 1 m of each, by square metre of that disc. */
function densities(x, y, count, unit) {
  const cell = 1 / unit;
  const bins = new Map();
  const key = (i, j) => i * 1000003 + j;
  for (let a = 0; a < count; a++) {
    const k = key(Math.floor(x[a] / cell), Math.floor(y[a] / cell));
    const bin = bins.get(k);
    if (bin) bin.push(a);
    else bins.set(k, [a]);
  }
  const out = new Float32Array(count);
  for (let a = 0; a < count; a++) {
    const i = Math.floor(x[a] / cell);
    const j = Math.floor(y[a] / cell);
    let near = 0;
    for (let di = -1; di <= 1; di++) {
      for (let dj = -1; dj <= 1; dj++) {
        for (const b of bins.get(key(i + di, j + dj)) || []) {
          if ((x[a] - x[b]) ** 2 + (y[a] - y[b]) ** 2 <= cell * cell) near++;
        }
      }
    }
    out[a] = near / Math.PI;
  }
  return out;
}

class Stage {
  constructor(run, data, shared, parent) {
    this.data = data;
    this.shared = shared;
    this.tracks = new Tracks(data);
    this.levels = data.levels.map((level, index) => this.readLevel(run, index));
    this.level = data.level; // -1: the run does not have the level that is shown
    const frame = document.createElement("div");
    frame.className = "stage";
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "Animation of the run " + data.name);
    if (data.label) {
      const name = document.createElement("b");
      name.textContent = data.label;
      frame.append(name);
    }
    frame.append(this.canvas);
    parent.append(frame);
    this.context = this.canvas.getContext("2d");
    this.scratch = { x: new Float32Array(this.tracks.walkers), y: new Float32Array(this.tracks.walkers),
                     track: new Uint32Array(this.tracks.walkers), bin: new Uint8Array(this.tracks.walkers) };
    this.seen = 0;
    this.view = { zoom: 1, x: data.width / 2, y: data.height / 2 };
  }

  readLevel(run, index) {
    const floor = byId("floor-" + run + index).getAttribute("d");
    const places = [];
    for (const path of byId("places-" + run + index).querySelectorAll("path")) {
      places.push({ path: new Path2D(path.getAttribute("d")), kind: path.classList[1],
                    isArea: path.classList.contains("area"),
                    closed: (path.dataset.closed || "").split(" ").filter(Boolean).map(Number) });
    }
    const names = [];
    for (const text of byId("places-" + run + index).querySelectorAll("text")) {
      names.push({ x: +text.getAttribute("x"), y: +text.getAttribute("y"), down: parseFloat(text.getAttribute("dy")),
                   text: text.textContent });
    }
    return { floor: floor ? new Path2D(floor) : null, places, names };
  }

  /** Fits the canvas to the room it has. */
  resize(highest) {
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    const height = Math.max(200, Math.min((width * this.data.height) / this.data.width, highest));
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.canvas.style.height = height + "px";
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.ratio = ratio;
  }

  /** Pixels of the canvas per unit of the map. */
  scale() {
    return Math.min(this.canvas.width / this.data.width, this.canvas.height / this.data.height) * this.view.zoom;
  }

  toMap(event) {
    const box = this.canvas.getBoundingClientRect();
    const scale = this.scale();
    return { x: this.view.x + ((event.clientX - box.left) * this.ratio - this.canvas.width / 2) / scale,
             y: this.view.y + ((event.clientY - box.top) * this.ratio - this.canvas.height / 2) / scale };
  }

  /** Collects who is on the level, with colour bins. */
  look(time, colouring) {
    const tracks = this.tracks;
    const { frame, part } = tracks.place(time);
    const { x, y, track, bin } = this.scratch;
    const unit = this.data.unit;
    let seen = 0;
    this.followed = null;
    for (let i = 0; i < tracks.tracks; i++) {
      if (tracks.level[i] !== this.level) continue;
      const first = tracks.first[i];
      const last = tracks.last[i];
      let row = tracks.row[i] + frame - first;
      let fraction = part;
      if (frame < first || frame > last) {
        if (frame + 1 !== first || part < 0.5) continue;
        row = tracks.row[i];
        fraction = 0;
      } else if (frame === last) {
        if (part >= 0.5) continue;
        fraction = 0;
      }
      const next = fraction > 0 ? row + 1 : row;
      x[seen] = tracks.x[row] + (tracks.x[next] - tracks.x[row]) * fraction;
      y[seen] = tracks.y[row] + (tracks.y[next] - tracks.y[row]) * fraction;
      track[seen] = i;
      const speed = this.speed(i, row);
      if (colouring === "group") bin[seen] = tracks.group[tracks.walker[i]];
      else bin[seen] = speed === null ? kSteps : Math.min(kSteps - 1, (speed / this.shared.topSpeed) * kSteps);
      if (tracks.walker[i] === this.follow) this.followed = { index: seen, speed };
      seen++;
    }
    this.seen = seen;
    if (colouring === "density") {
      const density = densities(x, y, seen, unit);
      for (let i = 0; i < seen; i++) bin[i] = Math.min(kSteps - 1, (density[i] / this.shared.topDensity) * kSteps);
    }
    return { frame, part };
  }

  /** In m/s; null where there is no other moment near to tell it from. */
  speed(track, row) {
    const tracks = this.tracks;
    const begin = tracks.row[track];
    const count = tracks.last[track] - tracks.first[track] + 1;
    if (count < 2) return null;
    const a = Math.min(row - begin, count - 2);
    const seconds = tracks.times[tracks.first[track] + a + 1] - tracks.times[tracks.first[track] + a];
    const way = Math.hypot(tracks.x[begin + a + 1] - tracks.x[begin + a], tracks.y[begin + a + 1] - tracks.y[begin + a]);
    return seconds > 0 ? (way * this.data.unit) / seconds : null;
  }

  draw(time, options, colours) {
    const at = this.look(time, options.colour);
    if (this.followed && this.view.zoom > 1) {
      this.view.x = this.scratch.x[this.followed.index];
      this.view.y = this.scratch.y[this.followed.index];
    }
    const context = this.context;
    const scale = this.scale();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(scale, 0, 0, scale, this.canvas.width / 2 - this.view.x * scale, this.canvas.height / 2 - this.view.y * scale);
    const level = this.levels[this.level];
    if (level) this.drawFloor(level, time, colours, scale);
    if (options.trails) this.drawTrails(time, at, colours, scale);
    this.drawBodies(at, colours);
    this.drawWalkers(options, colours, scale);
    if (level) this.drawNames(level, colours);
    context.setTransform(1, 0, 0, 1, 0, 0);
    this.drawScaleBar(colours, scale);
    if (!level) this.write("This run has no such level.", this.canvas.width / 2, this.canvas.height / 2, "center", colours);
  }

  /** Text in pixels of the canvas, readable on anything. */
  write(text, x, y, align, colours) {
    const context = this.context;
    context.font = "600 " + 12 * this.ratio + "px system-ui, sans-serif";
    context.lineJoin = "round";
    context.textAlign = align;
    context.strokeStyle = colours.card;
    context.lineWidth = 3 * this.ratio;
    context.strokeText(text, x, y);
    context.fillStyle = colours.ink;
    context.fillText(text, x, y);
  }

  drawScaleBar(colours, scale) {
    const context = this.context;
    const metre = scale / this.data.unit;
    const length = roundLength((this.canvas.width * 0.2) / metre);
    const left = 10 * this.ratio;
    const right = left + length * metre;
    const y = this.canvas.height - 9 * this.ratio;
    for (const [colour, width] of [[colours.card, 4.5], [colours.ink, 1.5]]) {
      context.strokeStyle = colour;
      context.lineWidth = width * this.ratio;
      context.beginPath();
      context.moveTo(left, y - 5 * this.ratio);
      context.lineTo(left, y);
      context.lineTo(right, y);
      context.lineTo(right, y - 5 * this.ratio);
      context.stroke();
    }
    this.write(length < 1000 ? shortNumber(length) + " m" : shortNumber(length / 1000) + " km", right + 6 * this.ratio, y, "left", colours);
  }

  drawFloor(level, time, colours, scale) {
    const context = this.context;
    const pixel = this.ratio / scale;
    if (level.floor) {
      context.fillStyle = colours.floor;
      context.fill(level.floor, "evenodd");
      context.strokeStyle = colours.wall;
      context.lineWidth = 1.2 * pixel;
      context.stroke(level.floor);
    }
    for (const { path, kind, isArea, closed } of level.places) {
      const colour = colours[kind] || colours.place;
      const isClosed = closed.some((from, i) => i % 2 === 0 && from <= time && time < closed[i + 1]);
      if (isArea && kind !== "waypoint") {
        context.globalAlpha = isClosed || kind === "wall" ? 1 : 0.16;
        context.fillStyle = colour;
        context.fill(path, "evenodd");
        context.globalAlpha = 1;
      }
      context.strokeStyle = colour;
      context.lineCap = "round";
      context.lineWidth = (isClosed || (kind === "exit" && !isArea) ? 4 : 2) * pixel;
      context.setLineDash(kind === "zone" || (kind === "door" && !isClosed) ? [5 * pixel, 4 * pixel] : []);
      context.stroke(path);
      context.setLineDash([]);
    }
  }

  drawTrails(time, at, colours, scale) {
    const tracks = this.tracks;
    const begin = tracks.place(time - kTrailSeconds).frame;
    const context = this.context;
    context.beginPath();
    for (let i = 0; i < this.seen; i++) {
      const track = this.scratch.track[i];
      const first = Math.max(begin, tracks.first[track]);
      if (first > at.frame) continue;
      const offset = tracks.row[track] - tracks.first[track];
      context.moveTo(tracks.x[offset + first], tracks.y[offset + first]);
      for (let f = first + 1; f <= at.frame; f++) context.lineTo(tracks.x[offset + f], tracks.y[offset + f]);
      context.lineTo(this.scratch.x[i], this.scratch.y[i]);
    }
    context.strokeStyle = colours.trail;
    context.globalAlpha = 0.55;
    context.lineWidth = (1.1 * this.ratio) / scale;
    context.stroke();
    context.globalAlpha = 1;
  }

  drawBodies(at, colours) {
    const context = this.context;
    const { bodyX, bodyY, bodies, times } = this.tracks;
    if (times.length === 0) return;
    context.fillStyle = colours.body;
    this.data.bodies.forEach((body, i) => {
      if (body.level !== this.level) return;
      const now = at.frame * bodies + i;
      const next = Math.min(at.frame + 1, times.length - 1) * bodies + i;
      const x = bodyX[now] + (bodyX[next] - bodyX[now]) * at.part;
      const y = bodyY[now] + (bodyY[next] - bodyY[now]) * at.part;
      context.beginPath();
      if (body.radius > 0) context.arc(x, y, body.radius, 0, 2 * Math.PI);
      else for (const [dx, dy] of body.outline) context.lineTo(x + dx, y + dy);
      context.fill();
    });
  }

  drawWalkers(options, colours, scale) {
    const { x, y, track, bin } = this.scratch;
    const { radius, walker } = this.tracks;
    const context = this.context;
    const palette = options.colour === "group" ? colours.groups : [...this.shared.steps(colours.isDark), colours.unknown];
    context.strokeStyle = colours.rim;
    context.lineWidth = (0.8 * this.ratio) / scale;
    let isLarge = false;
    const least = (1.3 * this.ratio) / scale;
    for (let colour = 0; colour < palette.length; colour++) {
      context.fillStyle = palette[colour];
      context.beginPath();
      for (let i = 0; i < this.seen; i++) {
        if (bin[i] !== colour) continue;
        const r = Math.max(radius[walker[track[i]]] / this.data.unit, least);
        if (r * scale < 2) {
          context.rect(x[i] - r, y[i] - r, 2 * r, 2 * r);
        } else {
          context.moveTo(x[i] + r, y[i]);
          context.arc(x[i], y[i], r, 0, 2 * Math.PI);
          isLarge ||= r * scale > 3 * this.ratio;
        }
      }
      context.fill();
      if (isLarge) context.stroke();
    }
    if (!this.followed) return;
    const i = this.followed.index;
    context.strokeStyle = colours.ink;
    context.lineWidth = (2 * this.ratio) / scale;
    context.beginPath();
    context.arc(x[i], y[i], Math.max(radius[walker[track[i]]] / this.data.unit, least) + (4 * this.ratio) / scale, 0, 2 * Math.PI);
    context.stroke();
  }

  drawNames(level, colours) {
    const context = this.context;
    if (this.canvas.clientWidth < 420 && this.view.zoom < 1.5) return;
    const matrix = context.getTransform();
    context.setTransform(1, 0, 0, 1, 0, 0);
    for (const name of level.names) {
      const y = name.y * matrix.d + matrix.f + name.down * 12 * this.ratio;
      this.write(name.text, name.x * matrix.a + matrix.e, y, "center", colours);
    }
  }

  /** The walker at a point of the map, or nobody. */
  walkerAt(point) {
    const { x, y, track } = this.scratch;
    let best = null;
    let nearest = (14 * this.ratio) / this.scale();
    for (let i = 0; i < this.seen; i++) {
      const distance = Math.hypot(x[i] - point.x, y[i] - point.y);
      if (distance < nearest) {
        nearest = distance;
        best = this.tracks.walker[track[i]];
      }
    }
    return best;
  }

  hasClosedDoors() {
    return this.levels.some((level) => level.places.some((place) => place.closed.length > 0));
  }

  hasUnknownSpeeds() {
    return this.tracks.first.some((first, i) => first === this.tracks.last[i]);
  }

  describe() {
    if (this.follow === null || this.follow === undefined) return "";
    const group = this.shared.groups[this.tracks.group[this.follow]];
    const who = "Walker " + this.tracks.id[this.follow] + (group ? " (" + group + ")" : "");
    if (!this.followed) return who + " is not here now";
    return who + ": " + (this.followed.speed === null ? "speed not known" : this.followed.speed.toFixed(2) + " m/s");
  }
}

class Player {
  constructor(stages, shared) {
    this.stages = stages;
    this.shared = shared;
    this.colours = styleColours();
    this.playing = false;
    const times = stages.flatMap((stage) => [...stage.tracks.times.slice(0, 1), ...stage.tracks.times.slice(-1)]);
    this.begin = times.length ? Math.min(...times) : 0;
    this.end = times.length ? Math.max(...times) : 0;
    this.time = wanted.has("t") ? this.clamp(Number(wanted.get("t")) || 0) : this.clamp(shared.start);
    this.options = { colour: "speed", trails: false };
    this.step = Math.max(0.02, Math.min(...stages.map((stage) => this.interval(stage.tracks.times))));
    if (!isFinite(this.step)) this.step = 0.1;
    this.listen();
  }

  interval(times) {
    return times.length > 1 ? (times[times.length - 1] - times[0]) / (times.length - 1) : Infinity;
  }

  clamp(time) {
    return Math.min(this.end, Math.max(this.begin, time));
  }

  listen() {
    const scrub = byId("scrub");
    scrub.min = this.begin;
    scrub.max = this.end;
    scrub.addEventListener("input", () => this.seek(Number(scrub.value)));
    byId("play").addEventListener("click", () => this.toggle());
    byId("colour").addEventListener("change", (event) => this.set({ colour: event.target.value }));
    byId("trails").addEventListener("change", (event) => this.set({ trails: event.target.checked }));
    byId("closer").addEventListener("click", () => this.zoom(1.5));
    byId("farther").addEventListener("click", () => this.zoom(1 / 1.5));
    byId("fit").addEventListener("click", () => this.fit());
    this.offerColours();
    this.offerLevels();
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("themechange", () => {
      this.colours = styleColours();
      this.set({});
    });
    for (const stage of this.stages) this.listenTo(stage);
    // In the next frame: it changes what is observed.
    new ResizeObserver(() => requestAnimationFrame(() => this.resize())).observe(byId("stages"));
    this.set({});
  }

  offerColours() {
    if (this.shared.groups.length < 2) byId("colour").querySelector("[value=group]").remove();
  }

  offerLevels() {
    const names = [...new Set(this.stages.flatMap((stage) => stage.data.levels))].sort((a, b) => a - b);
    if (names.length < 2) return;
    const select = byId("level");
    const first = this.stages[0];
    names.forEach((name) => select.append(new Option(name, name, false, name === first.data.levels[first.level])));
    byId("level-choice").hidden = false;
    const show = () => {
      for (const stage of this.stages) stage.level = stage.data.levels.indexOf(select.value);
      this.draw();
    };
    select.addEventListener("change", show);
    show();
  }

  listenTo(stage) {
    const canvas = stage.canvas;
    const down = new Map();
    let moved = 0;
    canvas.addEventListener("pointerdown", (event) => {
      if (down.size === 0) moved = 0;
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = down.get(event.pointerId);
      if (!before) return;
      const others = [...down].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const scale = stage.ratio / stage.scale();
      if (others.length > 0) {
        const spread = (at) => Math.hypot(at.x - others[0].x, at.y - others[0].y) || 1;
        this.zoom(spread({ x: event.clientX, y: event.clientY }) / spread(before));
      } else {
        this.move((before.x - event.clientX) * scale, (before.y - event.clientY) * scale);
      }
      moved += Math.abs(event.clientX - before.x) + Math.abs(event.clientY - before.y);
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    const up = (event) => {
      if (down.delete(event.pointerId) && moved < 6 && event.type === "pointerup") this.pick(stage, event);
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * 0.004), stage, stage.toMap(event));
    }, { passive: false });
  }

  pick(stage, event) {
    stage.follow = stage.walkerAt(stage.toMap(event));
    this.draw();
  }

  move(dx, dy) {
    for (const stage of this.stages) {
      stage.view.x = Math.min(stage.data.width, Math.max(0, stage.view.x + dx));
      stage.view.y = Math.min(stage.data.height, Math.max(0, stage.view.y + dy));
    }
    this.draw();
  }

  /** Closer by a factor; the point of the map under the pointer stays where it is. */
  zoom(factor, target, point) {
    for (const stage of this.stages) {
      const before = stage.view.zoom;
      stage.view.zoom = Math.min(400, Math.max(1, before * factor));
      const kept = before / stage.view.zoom;
      if (target && point) {
        stage.view.x = point.x + (stage.view.x - point.x) * kept;
        stage.view.y = point.y + (stage.view.y - point.y) * kept;
      }
      stage.canvas.classList.toggle("zoomed", stage.view.zoom > 1);
      if (stage.view.zoom === 1) Object.assign(stage.view, { x: stage.data.width / 2, y: stage.data.height / 2 });
    }
    this.draw();
  }

  fit() {
    for (const stage of this.stages) stage.follow = null;
    this.zoom(0);
  }

  key(event) {
    const target = event.target;
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    if (target.closest("select, input, button, a, summary, textarea") && !(target.id === "scrub" && event.key === " ")) return;
    const far = event.shiftKey ? 5 : this.step;
    const actions = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.seek(this.time - far),
      ArrowRight: () => this.seek(this.time + far),
      ArrowUp: () => this.changePace(1),
      ArrowDown: () => this.changePace(-1),
      "+": () => this.zoom(1.5),
      "=": () => this.zoom(1.5),
      "-": () => this.zoom(1 / 1.5),
      0: () => this.fit(),
      Escape: () => this.fit(),
    };
    const isOnStage = byId("player").contains(target);
    // Away from the stage, keys that move the page go on doing so.
    if (!isOnStage && event.key !== " ") return;
    if (!isOnStage && !this.isVisible()) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  isVisible() {
    const box = byId("player").getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight;
  }

  changePace(by) {
    const pace = byId("pace");
    pace.selectedIndex = Math.min(pace.length - 1, Math.max(0, pace.selectedIndex + by));
  }

  toggle() {
    this.playing = !this.playing;
    const button = byId("play");
    button.textContent = this.playing ? "Pause" : "Play";
    button.setAttribute("aria-label", button.textContent);
    if (!this.playing) return;
    if (this.time >= this.end) this.time = this.begin;
    this.before = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    if (!this.playing) return;
    const elapsed = Math.min(0.25, Math.max(0, (now - this.before) / 1000));
    this.before = now;
    this.time = this.clamp(this.time + elapsed * Number(byId("pace").value));
    this.draw();
    if (this.time >= this.end) this.toggle();
    else requestAnimationFrame((next) => this.tick(next));
  }

  seek(time) {
    this.time = this.clamp(time);
    this.draw();
  }

  set(options) {
    Object.assign(this.options, options);
    this.showScale();
    this.draw();
  }

  showScale() {
    const scale = byId("scale");
    scale.replaceChildren();
    const entry = (name, colours, kind) => {
      const item = document.createElement("span");
      const bar = document.createElement("span");
      bar.style.gap = "0";
      for (const colour of colours) {
        const mark = document.createElement("i");
        mark.className = kind;
        mark.style.background = colour;
        bar.append(mark);
      }
      item.append(bar, name);
      scale.append(item);
    };
    if (this.stages.some((stage) => stage.hasClosedDoors())) entry("closed door", [this.colours.door], "box");
    if (this.options.colour === "group") {
      this.shared.groups.forEach((name, i) => entry(name, [this.colours.groups[i]], "dot"));
      return;
    }
    const isSpeed = this.options.colour === "speed";
    scale.append(isSpeed ? "speed 0" : "people within 1 m, per m²: 0");
    entry(isSpeed ? this.shared.topSpeed + " m/s and more" : this.shared.topDensity + " and more",
          this.shared.steps(this.colours.isDark), "step");
    if (isSpeed && this.stages.some((stage) => stage.hasUnknownSpeeds())) entry("speed not known", [this.colours.unknown], "dot");
  }

  resize() {
    for (const stage of this.stages) stage.resize(Math.max(240, innerHeight * 0.72));
    this.draw();
  }

  draw() {
    if (!this.stages.every((stage) => stage.ratio)) return;
    for (const stage of this.stages) stage.draw(this.time, this.options, this.colours);
    byId("scrub").value = this.time;
    byId("clock").textContent = this.time.toFixed(1) + " of " + this.end.toFixed(1) + " s, " +
      this.stages.map((stage) => stage.seen.toLocaleString("en-GB")).join(" and ") + " shown";
    byId("followed").textContent = this.stages.map((stage) => stage.describe()).filter(Boolean).join("; ");
  }
}

function setUpPlayer() {
  const blocks = [...document.querySelectorAll("script[data-run]")];
  const panel = byId("player");
  if (!panel || blocks.length === 0) return;
  const shared = JSON.parse(byId("shared").textContent);
  const last = shared.palette.length / 6 - 1;
  const scaleFrom = (low) => Array.from({ length: kSteps }, (_, i) => {
    const at = 6 * Math.round((low + ((i + 0.5) / kSteps) * (1 - low)) * last);
    return "#" + shared.palette.slice(at, at + 6);
  });
  const scales = [scaleFrom(0), scaleFrom(shared.darkFrom)];
  shared.steps = (isDark) => scales[isDark ? 1 : 0];
  panel.hidden = false;
  byId("stages").classList.toggle("two", blocks.length > 1);
  const stages = blocks.map((block) => new Stage(block.dataset.run, JSON.parse(block.textContent), shared, byId("stages")));
  const player = new Player(stages, shared);
  player.resize();
  document.documentElement.dataset.firstPicture = Math.round(performance.now());
}
