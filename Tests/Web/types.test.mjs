// The types name what the modules have, and no more.

import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {test} from "node:test";
import {fileURLToPath} from "node:url";
import {Script} from "node:vm";

import * as client from "../../Sources/BroadsheetWeb/client.js";
import * as element from "../../Sources/BroadsheetWeb/element.js";

const source = (name) =>
  readFileSync(new URL(`../../Sources/BroadsheetWeb/${name}`, import.meta.url), "utf8");

// Returns the members that a declaration of a class names, each with its documentation or not.
const declared = (types, name) => {
  const body = new RegExp(`export class ${name}\\b[^{]*\\{\\n(.*?)\\n\\}`, "s").exec(types)[1];
  const members = body.matchAll(/^  (?:readonly |static )*([a-zA-Z]+)\??(?:\(|:)/gm);
  return new Set([...members].map((match) => match[1]).filter((name) => name !== "constructor"));
};

// Returns the public members of a class and of an instance.
const members = (type, instance) => new Set([
  ...Object.getOwnPropertyNames(type.prototype), ...Object.keys(instance),
  ...Object.getOwnPropertyNames(type).filter((name) => typeof type[name] === "function"),
].filter((name) => name !== "constructor"));

test("Every export has a declaration, and every declaration an export", () => {
  for (const [name, module] of [["client", client], ["element", element]]) {
    const types = source(`${name}.d.ts`);
    const exported = [...types.matchAll(/^export (?:const|class|function) (\w+)/gm)].map((match) => match[1]);
    assert.deepEqual(exported.sort(), Object.keys(module).sort());
  }
  assert.deepEqual(Object.keys(client).sort(), [
    "Carousel", "EventDecoder", "Problem", "Screen", "applyChanges", "version",
  ]);
});

test("Every member has a declaration, and every declaration a member", () => {
  const types = source("client.d.ts");
  for (const [name, instance] of [
    ["EventDecoder", new client.EventDecoder()], ["Carousel", new client.Carousel()],
    ["Screen", new client.Screen("http://host/v1/screens/home")],
  ]) {
    assert.deepEqual([...declared(types, name)].sort(), [...members(client[name], instance)].sort(), name);
  }
  const problem = new client.Problem({status: 404, detail: "gone"});
  for (const name of declared(types, "Problem")) assert.ok(name in problem, name);
});

test("Each declaration in the types has documentation", () => {
  for (const name of ["client.d.ts", "element.d.ts"]) {
    const lines = source(name).split("\n");
    lines.forEach((line, index) => {
      if (!/^export (const|class|function|interface|type \w)/.test(line)) return;
      assert.match(lines[index - 1], /\*\/$/, `${name}: ${line}`);
    });
  }
});

test("Each member in the types has documentation, and each option its default", () => {
  let count = 0;
  for (const name of ["client.d.ts", "element.d.ts"]) {
    const types = source(name);
    assert.doesNotMatch(types, /^export (class|interface) .*\{.*\}$/m, "members of one line");
    const blocks = types.matchAll(/^export (?:class|interface) (\w+)[^{]*\{\n(.*?)^\}/gms);
    for (const [, type, body] of blocks) {
      const lines = body.split("\n");
      lines.forEach((line, index) => {
        if (!/^  (?:readonly |static )*[a-zA-Z]+\??[(:]/.test(line)) return;
        count++;
        assert.match(lines[index - 1], /\*\/$/, `${type}: ${line}`);
        if (!/^(CarouselLengths|ScreenOptions)$/.test(type)) return;
        assert.match(lines[index - 1], / by default\. \*\/$/, `${type}: ${line}`);
      });
    }
  }
  assert.ok(count > 150, `${count}`);
});

test("A program in TypeScript that uses every export compiles, and its mistakes do not", () => {
  const program = fileURLToPath(new URL("uses.ts", import.meta.url));
  const options = [
    "--noEmit", "--strict", "--target", "es2022", "--module", "es2022", "--moduleResolution", "node",
  ];
  const {status, stdout, error} = spawnSync("tsc", [...options, program], {encoding: "utf8"});
  assert.equal(error, undefined);
  assert.equal(stdout, "");
  assert.equal(status, 0);
});

test("Importing the modules has no effect where there is no DOM", () => {
  assert.equal(globalThis.customElements, undefined);
  assert.equal(globalThis.HTMLElement, undefined);
  assert.deepEqual([element.cells, element.parts, element.states].flatMap(Object.keys), []);
});

test("The modules import each other alone, and nothing makes markup or code of texts", () => {
  for (const name of ["client.js", "element.js", "catalog.js"]) {
    const text = source(name);
    const imports = [...text.matchAll(/^import .* from "(.*)";$/gm)].map((match) => match[1]);
    assert.deepEqual(imports, name === "client.js" ? [] : ["./client.js"]);
    const later = [...text.matchAll(/\bimport\((.*?)\)/g)].map((match) => match[1]);
    assert.deepEqual(later, name === "element.js" ? ["`./catalog.js#${failures}`", '"./catalog.js"'] : []);
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|createElement\("(style|script)"\)|cssText|setAttribute\("style"/);
  }
});

test("The scripts of docs/web.md are valid, and import what there is", () => {
  const text = readFileSync(new URL("../../docs/web.md", import.meta.url), "utf8");
  const scripts = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1]);
  assert.ok(scripts.length >= 5);
  for (const script of scripts) {
    const body = script.replaceAll(/^import \{(.*?)\} from "(.*?)";$/gm, (_, names, module) => {
      const exported = module.endsWith("/client.js") ? client : element;
      for (const name of names.split(", ")) assert.ok(name in exported, name);
      return "";
    });
    assert.doesNotThrow(() => new Script(`async () => {${body}}`), script);
  }
});
