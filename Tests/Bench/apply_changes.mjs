// Prints the median microseconds of one change among 10,000 items by client.js, and of a copy of
// the list: the least that a new tree costs.

import {applyChanges} from "../../Sources/BroadsheetWeb/client.js";

const item = (number) => ({
  id: `p${number}`, type: "Product", frame: {x: 0, y: 60 * number, width: 390, height: 60},
  data: {title: `Product ${number}`},
});
const items = Array.from({length: 10_000}, (_, number) => item(number));
const section = {id: "list", index: 0, frame: {x: 0, y: 0, width: 390, height: 600_000}, items};
const tree = {page: 0, sections: [section], diagnostics: []};
const changes = {
  reset: false, tree: {page: 0}, sections: [], frames: [],
  stages: [
    {reloadItems: [{section: 0, item: 9, value: {...item(9), data: {title: "New"}}}]},
    {deleteItems: [{section: 0, item: 5_000}], insertItems: [{section: 0, item: 2, value: item(10_000)}]},
  ],
};

const median = (body) => {
  const times = [];
  for (let round = 0; round < 400; round++) {
    const start = performance.now();
    body();
    times.push(1_000 * (performance.now() - start));
  }
  return times.sort((one, other) => one - other)[200];
};

const copy = () => ({...tree, sections: [{...section, items: items.slice()}]});
median(copy);
median(() => applyChanges(tree, changes));
console.log(JSON.stringify({change: median(() => applyChanges(tree, changes)), copy: median(copy)}));
