// The yardstick of the compose benchmark: the server that a backend team writes in an afternoon.
//
// It knows two unit types and one two-column grid, merges nothing and checks nothing: less than what
// Broadsheet does for the same request, in the language such servers are written in.
//
//   node compose_peer.js PORT      (0 takes a free port; the address is printed when it listens)
const http = require('http');

const WIDTH = 390;
const BANNER = { type: 'TopBannerCell', height: 200 };
const PRODUCT = { type: 'ProductCell', width: 172.5, height: 244, margin: 15, column: 182.5, row: 259 };

function place(unit, element, start, y) {
  if (unit.unitType === 'SS_TOP_BANNER') {
    const frame = { x: 0, y: y - start, width: WIDTH, height: BANNER.height };
    return [{ id: element.id, type: BANNER.type, frame, data: element }, y + BANNER.height];
  }
  return null;
}

function placeProduct(element, index, start, y) {
  const column = index % 2;
  const frame = {
    x: PRODUCT.margin + column * PRODUCT.column, y: y - start, width: PRODUCT.width, height: PRODUCT.height,
  };
  return [{ id: element.id, type: PRODUCT.type, frame, data: element }, column ? y + PRODUCT.row : y];
}

function compose(page) {
  let y = 0;
  const sections = page.sections.map((section, index) => {
    const start = y;
    const items = [];
    for (const unit of section.units) {
      unit.unitData.forEach((element, n) => {
        const [item, next] = place(unit, element, start, y) || placeProduct(element, n, start, y);
        items.push(item);
        y = next;
      });
    }
    const frame = { x: 0, y: start, width: WIDTH, height: y - start };
    return { id: section.sectionId, index, frame, items };
  });
  const contentSize = { width: WIDTH, height: y };
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
