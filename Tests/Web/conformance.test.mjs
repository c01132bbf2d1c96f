// The conformance kit (Fixtures/conformance), passed by client.js, and by elements.mjs.

import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";

import {applyChanges, Carousel, EventDecoder} from "../../Sources/BroadsheetWeb/client.js";
import {elements} from "./elements.mjs";

const cases = (file) =>
  JSON.parse(readFileSync(new URL(`../../Fixtures/conformance/${file}`, import.meta.url), "utf8"));

const isClose = (actual, expected, what) => {
  if (expected === null) assert.equal(actual, null, what);
  else assert.ok(actual !== null && Math.abs(actual - expected) <= 1e-9, `${what}: ${actual}, not ${expected}`);
};

const frozen = (value) => {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};

test("Changes lead to the expected trees, and change neither the tree nor themselves", () => {
  for (const {name, tree, changes, expected, error} of cases("changes.json")) {
    frozen(tree);
    frozen(changes);
    if (error) assert.throws(() => applyChanges(tree, changes), RangeError, name);
    else assert.deepEqual(applyChanges(tree, changes), expected, name);
  }
});

test("Sections and items that did not change are the same objects", () => {
  let count = 0;
  for (const {name, tree, changes, expected} of cases("changes.json")) {
    if (!expected || changes.reset) continue;
    const result = applyChanges(tree, changes);
    const kept = new Map(tree.sections.flatMap((section) => section.items.map(
      (item) => [JSON.stringify([section.id, item]), item])));
    const known = new Set(tree.sections.flatMap((section) => section.items));
    for (const section of result.sections) {
      const old = tree.sections.find((one) => JSON.stringify(one) === JSON.stringify(section));
      if (old && old.id !== null) assert.equal(section, old, name);
      for (const item of section.items) {
        const same = section.id !== null && kept.get(JSON.stringify([section.id, item]));
        if (!same) continue;
        assert.ok(known.has(item), name);
        count++;
      }
    }
  }
  assert.ok(count > 500, `${count}`);
});

test("A stage of one item among 10,000 keeps the others, and the other sections", () => {
  const item = (id) => ({id: `${id}`, type: "A", frame: {x: 0, y: id, width: 1, height: 1}});
  const items = Array.from({length: 10_000}, (_, index) => item(index));
  const tree = {sections: [
    {id: "a", index: 0, items}, {id: "b", index: 1, items: [item(0)]},
  ], diagnostics: []};
  const value = {...item(5), name: "new"};
  const result = applyChanges(tree, {
    reset: false, tree: {page: 0}, sections: [], frames: [],
    stages: [{reloadItems: [{section: 0, item: 5, value}]}],
  });
  assert.equal(result.sections[1], tree.sections[1]);
  assert.equal(result.sections[0].items.filter((one, index) => one === items[index]).length, 9_999);
});

test("Streams have the expected events, pushed whole, by bytes, and cut in two anywhere", () => {
  for (const {name, bytes, events, lastEventId, retry} of cases("events.json")) {
    const content = new Uint8Array(Buffer.from(bytes, "base64"));
    const check = (parts) => {
      const decoder = new EventDecoder();
      assert.deepEqual(parts.flatMap((part) => decoder.push(part)), events, name);
      assert.equal(decoder.lastEventId, lastEventId, name);
      assert.equal(decoder.retry, retry, name);
    };
    check([...content].map((byte) => Uint8Array.of(byte)));
    for (let cut = 0; cut <= content.length; cut++) {
      check([content.subarray(0, cut), content.subarray(cut)]);
    }
  }
});

test("Assistive technology finds the expected elements", () => {
  const listed = cases("accessible.json");
  assert.ok(listed.length >= 60);
  for (const {name, content, data, elements: expected} of listed) {
    assert.deepEqual(elements(content, data), expected, name);
  }
});

test("An event of more than 268,435,456 characters is an error", () => {
  const decoder = new EventDecoder();
  const part = new TextEncoder().encode("data: ".padEnd(1 << 25, "x"));
  for (let count = 0; count < 8; count++) decoder.push(part);
  assert.throws(() => decoder.push(part), RangeError);
});

test("Carousels have the expected offsets", () => {
  for (const {name, lengths, values, ...moves} of cases("carousel.json")) {
    const carousel = new Carousel(lengths);
    for (const [member, value] of Object.entries(values)) {
      isClose(carousel[member], value, `${name} ${member}`);
    }
    for (const [offset, index] of moves.pageIndex) {
      assert.equal(carousel.pageIndex(offset), index, `${name} at ${offset}`);
    }
    for (const [offset, velocity, target] of moves.release) {
      isClose(carousel.release(offset, velocity), target, `${name} ${offset} ${velocity}`);
    }
    for (const [pages, offset, target] of moves.step) {
      isClose(carousel.step(pages, offset), target, `${name} ${pages} from ${offset}`);
    }
    for (const [offset, target] of moves.remap) {
      isClose(carousel.remap(offset), target, `${name} ${offset}`);
    }
  }
});

test("Every result is finite, whatever the lengths", () => {
  const odd = [NaN, Infinity, -Infinity, 1e308, -1e308, 0, "7", null, undefined];
  for (const one of odd) {
    for (const other of odd) {
      const carousel = new Carousel({
        isAlignCenter: true, isLooping: true, pageCount: one, copies: other, viewportLength: one,
        contentLength: other, itemLength: one, lineSpacing: other, contentInset: [one, other],
        sectionInset: [other, one],
      });
      const results = [
        carousel.pageIndex(one), carousel.release(one, other), carousel.step(1, one) ?? 0,
        carousel.remap(other) ?? 0, carousel.lastPage, carousel.initialOffset, carousel.finalOffset,
      ];
      assert.ok(results.every(Number.isFinite), `${one} ${other}: ${results}`);
    }
  }
});

test("The lengths of a carousel are those of its tree", () => {
  const folder = new URL("../../Fixtures/carousel/trees/", import.meta.url);
  for (const name of ["phone", "rtl-phone", "tablet"]) {
    const tree = JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));
    const [section] = tree.sections;
    const carousel = Carousel.of(section, tree);
    for (const member of ["pageLength", "minOffset", "maxOffset", "initialOffset", "finalOffset"]) {
      isClose(carousel[member], section.paging[member], `${name} ${member}`);
    }
    assert.equal(carousel.copies, section.paging.copies);
    assert.equal(carousel.copies, 3);
  }
  const empty = JSON.parse(readFileSync(new URL("collapsed-phone.json", folder), "utf8"));
  assert.equal(Carousel.of(empty.sections[0], empty), null);
});

test("An infinite carousel never ends (P1, P9, P10)", () => {
  const shapes = [
    [2, 300, 768, 0, 5], [2, 374, 768, 0, 3], [3, 115, 375, 0, 3], [2, 14, 768, 16, 33],
    [9, 100, 390, 37.5, 3],
  ];
  for (const [pageCount, itemLength, viewportLength, inset, copies] of shapes) {
    for (const isAlignCenter of [false, true]) {
      const frames = pageCount * copies;
      const carousel = new Carousel({
        isAlignCenter, pageCount, copies, viewportLength, itemLength, lineSpacing: 10,
        contentLength: 2 * inset + frames * (itemLength + 10) - 10, sectionInset: [inset, inset],
      });
      const rest = (offset) => carousel.remap(offset) ?? offset;
      for (const pages of [1, -1]) {
        let offset = rest(carousel.initialOffset);
        for (let turn = 0; turn < 4 * pageCount; turn++) {
          const target = carousel.step(pages, offset);
          assert.notEqual(target, null);
          if (turn || !isAlignCenter) isClose(target - offset, pages * (itemLength + 10), `${turn}`);
          offset = rest(target);
        }
        for (const velocity of [-50, 50]) {
          const end = carousel.release(offset, velocity);
          assert.ok(end >= carousel.initialOffset && end <= carousel.finalOffset);
          assert.notEqual(carousel.step(pages, rest(end)), null);
        }
      }
    }
  }
});
