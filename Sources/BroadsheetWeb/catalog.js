// The contents, the fonts and the names of a catalog: docs/web.md. element.js imports it when a
// screen needs it.

import {Problem} from "./client.js";

const maxSaid = 100;
const said = new Set();
const checked = new Set();
const faces = new Set();
const failed = new Set();
const broken = new Set();
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
  return value instanceof Object && Object.keys(value).includes(name) ? value[name] : undefined;
}, data);

const isWord = (value) => ["string", "number"].includes(typeof value);

// Returns a text, which is empty if it has pointers and none finds a string or a number.
export function textAt(data, source) {
  const {join = [source], by = ""} = source;
  const words = join.map((one) => one.constant ?? valueAt(data, one)).filter(isWord);
  const constants = join.filter((one) => one.constant !== undefined).length;
  return words.length > constants || constants === join.length ? words.join(by) : "";
}

const reader = document.createElement("a");

function isAddress(value) {
  if (typeof value !== "string") return false;
  reader.href = value;
  return /^https?:$/.test(reader.protocol);
}

// Returns a text, or an empty one for white space.
const there = (text = "") => /\P{White_Space}/u.test(text) ? text : "";

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

// Loads images within one length of the viewport, and all of a list that scrolls.
const margin = "scrollMargin" in IntersectionObserver.prototype ? "scrollMargin" : "rootMargin";
const near = new IntersectionObserver((entries) => {
  for (const {isIntersecting, target} of entries) {
    if (!isIntersecting && !target.closest('.list[style*="auto hidden"]')) continue;
    near.unobserve(target);
    target.src = target.address;
  }
}, {[margin]: "100%"});

// Rules that all styles of the page override.
const sheet = new CSSStyleSheet();
sheet.replaceSync(`:where(a.part, button.part) {
  border: 0; padding: 0; background: none; color: inherit; font: inherit; text-decoration: none;
  cursor: pointer;
}`);

function adopt({adoptedStyleSheets: sheets}) {
  if (sheets && !sheets.includes(sheet)) sheets.push(sheet);
}

// Shows what describe() returned of a cell or a part.
function show(element, {address, attributes = {}, styles = {}, style = ""}, redraw) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null) element.removeAttribute(name);
    else if (element.getAttribute(name) !== `${value}`) element.setAttribute(name, value);
  }
  for (const name of Object.keys(styles)) {
    if (element.style[name] !== styles[name]) element.style[name] = styles[name];
  }
  const names = style.match(/\S+/g)?.map((name) => `style-${name}`) ?? [];
  if (`${names}` !== `${element.names ?? []}`) {
    element.classList.remove(...element.names ?? []);
    element.classList.add(...element.names = names);
  }
  if (!address) return;
  element.onerror = () => {
    broken.add(address);
    redraw();
  };
  if (element.address === address) return;
  element.address = address;
  near.unobserve(element);
  near.observe(element);
}

// Returns the box that a `switch` selects, if there is one.
function selected({switch: pointer, cases, default: other}, data) {
  const value = valueAt(data, pointer);
  const key = Object.keys(cases).find((key) => typeof value === "number"
    ? /\d$/.test(key) && +key === value : key === `${value}`);
  return cases[key] ?? other ?? {};
}

// Returns what is seen of a box itself: its text, its image, or what stands for an image.
function seen(box, data, {frame: {width, height}, url, ...lines}, styleOf) {
  if (box.text !== undefined) {
    const text = textAt(data, box.text);
    return {text, styles: styleOf(box, text, lines), attributes: {dir: "auto"}};
  }
  const address = box.image === undefined ? null : url ?? valueAt(data, box.image);
  if (!isAddress(address)) return {};
  if (broken.has(address)) {
    return {isBroken: true, styles: {}, attributes: {"data-state": "failed"}};
  }
  return {tag: "img", address, styles: {objectFit: "cover"}, attributes: {
    alt: "", width: Math.round(width), height: Math.round(height)}};
}

// Adds parts for what is seen of a part, which is not said, and for the label of a text.
function split({name, parts, frame: {width, height}}, own, label) {
  const frame = {x: 0, y: 0, width, height};
  const attributes = {...own.attributes, "aria-hidden": true};
  if (own.styles) parts.push({...own, name: `${name} `, frame, attributes});
  const styles = {opacity: "0", overflow: "hidden"};
  if (label) parts.push({name: ` ${name}`, frame, text: label, styles});
}

// Returns the parts of an item in the order of its content, and what is said of it.
function describe({content = {}, style}, item, kind, styleOf) {
  const {data, parts: frames = {}} = item;
  const cell = {parts: [], style};
  const rest = new Map(Object.entries(frames));
  let cellLabel = null;
  let hasHeading = false;
  // Returns what is said of a box to those around it.
  const visit = (box, outer) => {
    if (box.switch !== undefined) return visit(selected(box, data), outer);
    const {name, role, action, link, input, hidden, level = 3} = box;
    if (name !== undefined && !rest.has(name)) return "";
    const own = rest.delete(name) ? seen(box, data, frames[name], styleOf) : {};
    const frame = frames[name]?.frame ?? {};
    const text = there(own.text);
    const label = box.label === undefined ? "" : there(textAt(data, box.label));
    const href = link === undefined ? "" : valueAt(data, link);
    const isControl = action || (href && isAddress(href));
    const isSilent = !isControl && (outer.isInside || hidden || (outer.isRoot && label));
    const isSaid = !isControl && !isSilent && role !== "none" && (label || text);
    const isHeading = isSaid && role === "heading";
    const isText = own.text !== undefined;
    const isApart = isControl || (isSaid && isText && label);
    const part = {
      ...isControl ? {tag: action ? "button" : "a"} : !isApart && own, name,
      style: box.style, parts: [], frame: {...frame, x: frame.x - outer.x, y: frame.y - outer.y},
    };
    if (name !== undefined) outer.parts.push(part);
    if (isApart) split(part, own, isControl ? "" : label);
    const children = box.column ?? box.row ?? box.overlay;
    const inside = (children ?? []).map((one) => visit(one, isControl
      ? {...frame, parts: part.parts, isInside: true}
      : {...outer, isRoot: false, isInside: outer.isInside || hidden || label}));
    const words = label || text || inside.filter(Boolean).join(" ");
    const said = (isControl ? words : isSaid && !isText && label) || null;
    part.attributes = {
      "data-state": null, ...part.attributes, "data-name": name, "data-action": action,
      "data-input": input === undefined ? null : JSON.stringify(input),
      href: part.tag === "a" ? href : null, type: action && "button",
      role: isControl || isHeading ? role
        : said && (children && role !== "image" ? "group" : "img"),
      "aria-level": isHeading ? level : null, "aria-label": said,
      "aria-hidden": isSilent ? true : null,
    };
    if (part.tag === "img") part.attributes.alt = said ?? "";
    hasHeading ||= isHeading;
    if (outer.isRoot && !isControl) cellLabel = label || null;
    return hidden || role === "none" || (isControl && !outer.isRoot) ? "" : words;
  };
  cell.words = visit(content, {parts: cell.parts, x: 0, y: 0, isRoot: true});
  for (const [name, {frame}] of rest) {
    cell.parts.push({name, frame, attributes: {"data-name": name}});
  }
  const isHeader = kind === "header";
  const isHeading = isHeader && !hasHeading;
  cell.attributes = {
    role: !kind ? "listitem" : isHeading ? "heading" : isHeader || cellLabel ? "group" : null,
    "aria-level": isHeading ? 2 : null, "aria-label": cellLabel,
  };
  return cell;
}

// Returns functions that describe an item, and show it.
export async function load(element, cells) {
  const {screen} = element;
  const catalog = new URLSearchParams(screen.url.split("#")[0].split("?")[1]).get("catalog");
  const query = [
    ...catalog === null ? [] : [`catalog=${encodeURIComponent(catalog)}`],
    ...Object.keys(cells).some((name) => name !== "*") ? ["types=true"] : [],
  ].join("&");
  for (const face of failed) faces.delete(face);
  failed.clear();
  broken.clear();
  loads++;
  try {
    const response = await screen.request(`/v1/catalog/cells${query && `?${query}`}`);
    const {cellTypes, fonts, types} = await response.json();
    if (types) isListed = true;
    else if (query.endsWith("types=true")) hasOthers = true;
    for (const type of types ?? []) known.cells.add(type);
    for (const [type, {content}] of Object.entries(cellTypes)) {
      for (const {name} of namedBoxes(content ?? {})) known.parts.add(`${type}.${name}`);
    }
    const typeOf = (name) => Object.hasOwn(cellTypes, name) && cellTypes[name];
    return {show, dress: (cell, type) => show(cell, typeOf(type)),
      describe: (item, kind, viewport) => {
        adopt(element.getRootNode());
        return typeOf(item.type) && describe(typeOf(item.type), item, kind, (box, text, part) => {
          const font = fonts[box.font];
          if (font) loadFont(element, font, text);
          return textStyle(box, part, font, viewport);
        });
      }};
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
