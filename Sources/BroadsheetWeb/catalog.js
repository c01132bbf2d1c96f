// The contents, the fonts and the names of a catalog: docs/web.md. element.js imports it when a
// screen needs it.

import {Problem} from "./client.js";

const maxSaid = 100;
const said = new Set();
const checked = new Set();
const faces = new Set();
const failed = new Set();
const reports = ["select", "willDisplay", "didEndDisplaying", "pageDidAppear", "failed"];
// Those of all catalogs of the page, since its elements share their functions.
const known = {cells: new Set(["*"]), parts: new Set(), report: new Set(reports)};
let loads = 0;
let isListed = false;
let hasOthers = false;

// What texts are measured with: docs/text.md. The page's own styles would draw other lines.
const measured = {
  overflow: "hidden", whiteSpace: "pre-line", fontKerning: "normal", fontSynthesis: "none",
  textSpacingTrim: "space-all", textAutospace: "no-autospace", textIndent: "0px",
  wordSpacing: "0px", textTransform: "none", textRendering: "auto", hyphens: "manual",
  lineBreak: "auto",
};

export const namedBoxes = (box) =>
  [box, ...Object.values(box).flatMap((value) => value instanceof Object ? namedBoxes(value) : [])]
    .filter(({name}) => typeof name === "string");

export const valueAt = (data, pointer) => pointer.split("/").slice(1).reduce((value, part) => {
  const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
  return value instanceof Object && Object.hasOwn(value, name) ? value[name] : undefined;
}, data);

export function textAt(data, source) {
  const {join = [source], by = ""} = source;
  return join.map((pointer) => valueAt(data, pointer) ?? null)
    .filter((part) => part !== null).join(by);
}

const isAddress = (value) => typeof value === "string"
  && /^https?:$/.test(Object.assign(document.createElement("a"), {href: value}).protocol);

// Returns the styles by which a text is drawn as it was measured. The font of a draft may lack some
// members.
export function textStyle(box, {lines, truncated}, font, {direction, textScale = 1}) {
  const {size, lineHeight, letterSpacing = 0, families = [], features = []} = font ?? {};
  const scale = font?.scales ? textScale : 1;
  const {weight, italic} = families[0] ?? {};
  const names = families.map(({family}) => JSON.stringify(family)).join() || "system-ui";
  return {
    ...size && {
      font: `${italic ? "italic" : ""} ${weight ?? ""} ${size * scale}px/${
        lineHeight ? `${lineHeight * scale}px` : "normal"} ${names}`,
      letterSpacing: `${letterSpacing * scale}px`,
      fontFeatureSettings: `${features.map((one) => one.replace(/([^=]*)=?(.*)/, '"$1" $2'))}`,
    },
    ...measured,
    // Browsers put the ellipsis where the text ends, also out of its box.
    textAlign: truncated ? "start" : direction === "rtl" ? "right" : "left",
    overflowWrap: box.overflow === "clip" ? "normal" : "anywhere",
    wordBreak: box.hangul === "word" ? "keep-all" : "normal",
    display: truncated ? "-webkit-box" : "", webkitLineClamp: truncated ? `${lines}` : "",
    webkitBoxOrient: truncated ? "vertical" : "",
  };
}

// Returns the contents by cell types, as named boxes in the order of drawing, and a function that
// describes a part of one: the address of its image, or its text, and its styles.
export async function load(element, cells) {
  const {screen} = element;
  const catalog = new URLSearchParams(screen.url.split("#")[0].split("?")[1]).get("catalog");
  const query = [
    ...catalog === null ? [] : [`catalog=${encodeURIComponent(catalog)}`],
    ...Object.keys(cells).some((name) => name !== "*") ? ["types=true"] : [],
  ].join("&");
  for (const face of failed) faces.delete(face);
  failed.clear();
  loads++;
  try {
    const response = await screen.request(`/v1/catalog/cells${query && `?${query}`}`);
    const {cellTypes, fonts, types} = await response.json();
    if (types) isListed = true;
    else if (query.endsWith("types=true")) hasOthers = true;
    for (const type of types ?? []) known.cells.add(type);
    const contents = new Map(Object.entries(cellTypes).map(([type, {content}]) =>
      [type, new Map(namedBoxes(content).map((box) => [box.name, box]))]));
    for (const [type, boxes] of contents) {
      for (const name of boxes.keys()) known.parts.add(`${type}.${name}`);
    }
    const describe = (box, {data, parts}, viewport) => {
      if (box.image !== undefined) {
        const address = valueAt(data, box.image);
        return isAddress(address) ? {address, styles: {objectFit: "cover"}} : {};
      }
      if (box.text === undefined) return {};
      const text = textAt(data, box.text);
      const font = fonts[box.font];
      if (font) loadFont(element, font, text);
      return {text, styles: textStyle(box, parts[box.name], font, viewport)};
    };
    return {contents, describe};
  } catch (problem) {
    // An older daemon does not know the parameter.
    if (problem.status !== 400 || !query.endsWith("types=true")) throw problem;
    hasOthers = true;
    return await load(element, {});
  } finally {
    loads--;
  }
}

// Loads the files that a text needs: the first one, and the others, which may be large, if the text
// has characters of other scripts.
async function loadFont(element, {families}, text) {
  const isLatin = /^[\0-\u024f\u2000-\u22ff]*$/.test(text);
  const {screen} = element;
  await Promise.all((isLatin ? families.slice(0, 1) : families).map(async (one) => {
    const {family, weight, italic, file} = one;
    const face = JSON.stringify([file, family, weight, italic]);
    if (!file || faces.has(face)) return;
    faces.add(face);
    try {
      const bytes = await (await screen.request(file)).arrayBuffer();
      document.fonts.add(await new FontFace(family, bytes, {
        weight: `${weight ?? "normal"}`, style: italic ? "italic" : "normal",
      }).load());
    } catch (problem) {
      failed.add(face);
      if (problem.status !== 404) fail(element, problem);
    }
  }));
}

export function fail(element, error) {
  const problem = error instanceof Problem ? error : new Problem({detail: `${error}`});
  element.dispatchEvent(new CustomEvent("problem", {detail: problem}));
}

// Reports a mistake of the page, once.
export function report(element, code, detail, status) {
  const problem = new Problem({code, detail, status});
  if (!said.has(detail) && said.size < maxSaid) {
    said.add(detail);
    console.warn(`broadsheet-screen: ${detail}`);
    fail(element, problem);
  }
  return problem;
}

function edits(one, other) {
  let last = Array.from({length: other.length + 1}, (_, index) => index);
  for (const letter of one) {
    const row = [last[0] + 1];
    for (let index = 0; index < other.length; index++) {
      row.push(Math.min(
        row[index] + 1, last[index + 1] + 1, last[index] + (letter !== other[index])));
    }
    last = row;
  }
  return last.at(-1);
}

function nearest(name, names) {
  const found = [...names].filter((other) => other !== "*")
    .map((other) => [edits(name.toLowerCase(), other.toLowerCase()), other])
    .sort(([one], [other]) => one - other)[0];
  return found ? `; the nearest name is "${found[1]}"` : "";
}

// Reports the names that nothing has.
export function check(element, what, names) {
  for (const name of loads ? [] : names) {
    if (known[what].has(name) || checked.has(`${what} ${name}`)) continue;
    checked.add(`${what} ${name}`);
    report(element, "UNKNOWN_NAME",
      `${what} has "${name}", which is unknown${nearest(name, known[what])}`);
  }
}

// The kinds of decorations are those of the pages, too.
export function checkFunctions(element, cells, parts, tree) {
  for (const {kind} of tree.sections.flatMap(({decorations = []}) => decorations)) {
    known.cells.add(kind);
  }
  // The daemon does not list the types of a program's code.
  if (isListed && !hasOthers) check(element, "cells", Object.keys(cells));
  check(element, "parts", Object.keys(parts));
}

// Reports a path that is not that of a screen.
export function checkPath(element, path) {
  const right = path.replace(/\/(layout\/?)?$/, "");
  return report(element, "INVALID_SRC", `src is "${path}", which is not the URL of a screen; `
    + `one is "${/\/v1\/screens$/.test(right) ? `${right}/home` : right}"`, 404);
}
