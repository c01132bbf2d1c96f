// What assistive technology finds in a cell, from its content and its data: docs/client.md,
// "Describe cells to assistive technology", in JavaScript, for Fixtures/conformance.

const containers = ["column", "row", "overlay"];
const isText = (value) => ["string", "number"].includes(typeof value);
const isThere = (value) => ![undefined, null, false, ""].includes(value);
const isBlank = (text) => /^\p{White_Space}*$/u.test(text);

function at(pointer, data) {
  return pointer.split("/").slice(1).reduce((value, token) => {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(name)) return undefined;
    return value instanceof Object && Object.hasOwn(value, name) ? value[name] : undefined;
  }, data);
}

// Returns the text of a pointer, a constant, or a join of them; null if its pointers find no text.
function said(source, data) {
  const {join = [source], by = ""} = source ?? {};
  const found = join.map((part) => part?.constant ?? (part ? at(part, data) : undefined));
  const isFound = join.every((part) => part?.constant !== undefined)
    || join.some((part, index) => part?.constant === undefined && isText(found[index]));
  const text = found.filter(isText).join(by);
  return source === undefined || !isFound || isBlank(text) ? null : text;
}

// Returns the box that stands for one: itself, or the one that a switch selects.
function selected(box, data) {
  while (box?.switch !== undefined) {
    const value = at(box.switch, data);
    const name = Object.keys(box.cases).find((one) => typeof value === "number"
      ? one.trim() !== "" && Number(one) === value : value !== null && one === `${value}`);
    box = box.cases[name] ?? box.default;
  }
  return box;
}

// Returns the boxes in a box that are there.
function inside(box, data) {
  const kind = containers.find((one) => box[one]);
  return (box[kind] ?? []).map((child) => selected(child, data)).filter((child) =>
    child && (child.if === undefined || isThere(at(child.if, data))) && hasContent(child, data));
}

function hasContent(box, data) {
  if (box.space !== undefined) return true;
  if (box.text !== undefined) return box.minLines > 0 || said(box.text, data) !== null;
  if (containers.some((one) => box[one])) {
    return inside(box, data).some(({space}) => space === undefined);
  }
  return isThere(at(box.image ?? box.box, data));
}

// Returns what a box says itself: its label, or a text.
const own = (box, data) => said(box.label, data) ?? said(box.text, data);

// Returns what a box in a control says.
function words(box, data) {
  if (box.hidden || box.role === "none") return [];
  const text = box.name === undefined ? null : own(box, data);
  return text === null ? inside(box, data).flatMap((child) => words(child, data)) : [text];
}

function elementsIn(box, data, isSilent) {
  if (box.hidden) return [];
  const {name, action, input, level = 3} = box;
  const given = box.role === "link" ? undefined : box.role;
  const link = box.link === undefined ? undefined : at(box.link, data);
  const isLink = typeof link === "string" && link !== "";
  if (action !== undefined || isLink) {
    const label = said(box.label, data) ?? words(box, data).join(" ");
    if (action === undefined) return [{name, role: "link", label, link}];
    return [{name, role: box.role ?? "button", label, action, ...input !== undefined && {input}}];
  }
  const label = isSilent || name === undefined || box.role === "none" ? null : own(box, data);
  const role = given ?? (box.text !== undefined ? "text"
    : containers.some((one) => box[one]) ? "group" : "image");
  const element = {name, role, label, ...role === "heading" && {level}};
  const isQuiet = isSilent || label !== null;
  return [
    ...label === null ? [] : [element],
    ...inside(box, data).flatMap((child) => elementsIn(child, data, isQuiet)),
  ];
}

/** Returns the elements of a cell in reading order. */
export function elements(content, data) {
  const root = selected(content, data) ?? {box: ""};
  const label = said(root.label, data);
  const isControl = root.action !== undefined || isThere(root.link && at(root.link, data))
    && typeof at(root.link, data) === "string";
  const isOne = label !== null && !isControl;
  const cell = {name: null, role: "cell", label};
  return [...isOne ? [cell] : [], ...elementsIn(root, data, isOne)];
}
