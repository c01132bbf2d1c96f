// The baseline of the http benchmark: a minimal server that composes a layout from a page.
//
// It supports two unit types and one grid of two columns, and neither merges nor validates: less
// than Broadsheet does for the same request.
//
//   node compose_peer.js PORT      (0 selects a free port; the server prints its address)
const http = require('http');

const VIEWPORT_WIDTH = 390;

// Each function lays out element `n` of a unit at height `y`; `advance` is the offset of the next
// one.
const LAYOUTS = {
  SS_TOP_BANNER: (n, y) => ({
    type: 'TopBannerCell', frame: { x: 0, y, width: VIEWPORT_WIDTH, height: 200 }, advance: 200,
  }),
  SS_PRODUCT_LIST: (n, y) => {
    const column = n % 2;
    const frame = { x: 15 + column * 182.5, y, width: 172.5, height: 244 };
    return { type: 'ProductCell', frame, advance: column ? 259 : 0 };
  },
};

function compose(page) {
  let start = 0;
  const sections = page.sections.map((section, index) => {
    let y = 0;
    const items = [];
    for (const unit of section.units) {
      unit.unitData.forEach((data, n) => {
        const { type, frame, advance } = LAYOUTS[unit.unitType](n, y);
        items.push({ id: data.id, type, frame, data });
        y += advance;
      });
    }
    const frame = { x: 0, y: start, width: VIEWPORT_WIDTH, height: y };
    start += y;
    return { id: section.sectionId, index, frame, items };
  });
  const contentSize = { width: VIEWPORT_WIDTH, height: start };
  return { page: page.page, hasNext: page.hasNext, contentSize, sections };
}

const server = http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(compose(JSON.parse(Buffer.concat(chunks)))));
  });
});

server.listen(Number(process.argv[2] || 0), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
