// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Who was where: the numbers of src/report/animation.hpp, read into columns.

class NumberReader {
  constructor(text) {
    const binary = atob(text);
    this.bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) this.bytes[i] = binary.charCodeAt(i);
    this.at = 0;
  }

  next() {
    let byte = this.bytes[this.at++];
    if (byte < 128) return byte;
    let value = byte & 127;
    let factor = 128;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte >= 128);
    return value;
  }

  nextSigned() {
    const value = this.next();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
}

/** Times of frames [s], tracks of walkers and places of bodies; coordinates are those of the maps. */
class Tracks {
  constructor(data) {
    const reader = new NumberReader(data.tracks);
    this.readFrames(reader, data.fps);
    this.readWalkers(reader);
    this.bodies = data.bodies.length;
    this.readBodies(reader);
  }

  readFrames(reader, fps) {
    const count = reader.next();
    this.times = new Float64Array(count);
    let number = 0;
    for (let i = 0; i < count; i++) {
      number += reader.nextSigned();
      this.times[i] = number / fps;
    }
  }

  readWalkers(reader) {
    this.walkers = reader.next();
    const rows = reader.next();
    this.id = new Float64Array(this.walkers);
    this.group = new Uint8Array(this.walkers);
    this.radius = new Float32Array(this.walkers);
    this.x = new Int32Array(rows);
    this.y = new Int32Array(rows);
    const walker = [];
    const first = [];
    const last = [];
    const level = [];
    const row = [];
    let id = 0;
    let to = 0;
    for (let w = 0; w < this.walkers; w++) {
      id += reader.nextSigned();
      this.id[w] = id;
      this.group[w] = reader.next();
      this.radius[w] = reader.next() / 1000;
      let frame = 0;
      for (let left = reader.next(); left > 0; left--) {
        frame += reader.next();
        const count = reader.next();
        walker.push(w);
        first.push(frame);
        last.push(frame + count - 1);
        level.push(reader.next());
        row.push(to);
        to = this.readTrack(reader, to, count);
        frame += count;
      }
    }
    this.tracks = walker.length;
    this.walker = Uint32Array.from(walker);
    this.first = Uint32Array.from(first);
    this.last = Uint32Array.from(last);
    this.level = Uint16Array.from(level);
    this.row = Uint32Array.from(row);
  }

  readTrack(reader, to, count) {
    let x = reader.nextSigned();
    let y = reader.nextSigned();
    let dx = 0;
    let dy = 0;
    this.x[to] = x;
    this.y[to++] = y;
    for (let i = 1; i < count; i++) {
      dx += reader.nextSigned();
      dy += reader.nextSigned();
      x += dx;
      y += dy;
      this.x[to] = x;
      this.y[to++] = y;
    }
    return to;
  }

  readBodies(reader) {
    const size = this.times.length * this.bodies;
    this.bodyX = new Int32Array(size);
    this.bodyY = new Int32Array(size);
    for (let i = 0; i < size; i++) {
      const before = i >= this.bodies;
      this.bodyX[i] = reader.nextSigned() + (before ? this.bodyX[i - this.bodies] : 0);
      this.bodyY[i] = reader.nextSigned() + (before ? this.bodyY[i - this.bodies] : 0);
    }
  }

  /** Frame at or before a time, and how far on the way to the next it is. */
  place(time) {
    const times = this.times;
    let low = 0;
    let high = times.length - 1;
    if (high <= 0 || time <= times[0]) return { frame: 0, part: 0 };
    if (time >= times[high]) return { frame: high, part: 0 };
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle;
    }
    return { frame: low, part: (time - times[low]) / (times[high] - times[low]) };
  }
}
