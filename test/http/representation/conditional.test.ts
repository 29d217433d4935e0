import { suite } from "uvu";
import * as assert from "uvu/assert";
import { conditional } from "../../../src/http/representation/conditional.ts";
import { serveHandler } from "../serve-handler.ts";

const test = suite<{ ask: Ask; close: () => Promise<void> }>("conditional requests");
type Ask = (headers: Record<string, string>, method?: string) => Promise<Response>;

/** A time within a second; HTTP dates have no fractions. */
const changed = new Date("2026-10-01T08:00:00.500Z");
const shown = "Thu, 01 Oct 2026 08:00:00 GMT";

test.before(async (context) => {
  const server = await serveHandler(
    conditional(() => ({
      status: 200,
      body: "answer",
      type: "text/plain",
      etag: '"x"',
      headers: ["Last-Modified", changed.toUTCString()],
    })),
  );
  context.ask = (headers, method = "GET") => fetch(server.url, { headers, method });
  context.close = server.close;
});
test.after(({ close }) => close());

test("Last-Modified is the time of the event", async ({ ask }) => {
  for (const method of ["GET", "HEAD"]) {
    assert.is((await ask({}, method)).headers.get("last-modified"), shown);
  }
});

const rows: readonly [headers: Record<string, string>, status: number][] = [
  // Another event in the same second may have changed it.
  [{ "if-modified-since": shown }, 200],
  [{ "if-modified-since": "Fri, 02 Oct 2026 00:00:00 GMT" }, 200],
  [{ "if-modified-since": "Thu, 01 Oct 2026 07:59:59 GMT" }, 200],
  [{ "if-modified-since": "yesterday" }, 200],
  [{ "if-none-match": '"x"' }, 304],
  [{ "if-none-match": '"y"', "if-modified-since": shown }, 200],
  [{ "if-none-match": '"x"', "if-modified-since": "Thu, 01 Oct 2020 00:00:00 GMT" }, 304],
];

for (const [headers, status] of rows) {
  test(`${JSON.stringify(headers)} is ${status}`, async ({ ask }) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await ask(headers, method);
      await response.arrayBuffer();
      assert.is(response.status, status);
      assert.is(response.headers.get("last-modified"), shown);
      assert.is(response.headers.get("etag"), '"x"');
    }
  });
}

const preconditions: readonly [headers: Record<string, string>, status: number][] = [
  [{ "if-match": '"y", "x"' }, 200],
  [{ "if-match": '"x.br"' }, 200],
  [{ "if-match": '"y.br", "x.gzip"' }, 200],
  [{ "if-match": "*" }, 200],
  [{ "if-match": '"y",' }, 412],
  [{ "if-match": 'W/"x"' }, 412],
  [{ "if-match": '"y"', "if-unmodified-since": shown }, 412],
  [{ "if-match": '"y"', "if-none-match": '"x"' }, 412],
  [{ "if-match": '"x"', "if-none-match": '"x"' }, 304],
  [{ "if-unmodified-since": shown }, 200],
  [{ "if-unmodified-since": "Thu, 01 Oct 2026 07:59:59 GMT" }, 412],
  [{ "if-unmodified-since": "yesterday" }, 200],
];

for (const [headers, status] of preconditions) {
  test(`RFC 9110 13.1: ${JSON.stringify(headers)} is ${status}`, async ({ ask }) => {
    const response = await ask(headers);
    const body = await response.text();
    assert.is(response.status, status);
    if (status === 412) assert.is(JSON.parse(body).error.code, "precondition_failed");
  });
}

test("a POST is never answered with 304", async ({ ask }) => {
  assert.is(
    (await ask({ "if-modified-since": shown, "if-none-match": '"x"' }, "POST")).status,
    200,
  );
});

test.run();
