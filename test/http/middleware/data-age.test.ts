import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createAgeTracker } from "../../../src/cli/supervisor/ipc.ts";
import type { Reader } from "../../../src/read-model/reader/reader.ts";
import { tokenFor } from "../../helpers/access.ts";
import { aShop, memoryReader } from "../../helpers/reader.ts";
import { open } from "../test-app.ts";

const test = suite("data age");

const ageOf = (response: Response): string | null => response.headers.get("x-data-age");

test("every answer from the model has X-Data-Age: its maximum age in whole seconds, rounded up", async () => {
  let seconds: number | undefined = 0;
  const { url, post, close } = await open(undefined, { dataAge: () => seconds });
  const answers = async () => {
    const page = await fetch(`${url}/llms.txt`);
    const etag = page.headers.get("etag") ?? "";
    const again = await fetch(`${url}/llms.txt`, { headers: { "if-none-match": etag } });
    assert.equal([page.status, again.status], [200, 304]);
    return [page, again, await post({ query: "{ shop { name } }" }), await post("no JSON")];
  };
  assert.equal((await answers()).map(ageOf), ["0", "0", "0", "0"]);
  seconds = 61.2;
  assert.equal((await answers()).map(ageOf), ["62", "62", "62", "62"]);
  const page = await fetch(`${url}/llms.txt`, { headers: { origin: "https://page.example" } });
  assert.match(page.headers.get("access-control-expose-headers") ?? "", /\bX-Data-Age\b/);
  seconds = undefined;
  assert.equal((await answers()).map(ageOf), [null, null, null, null]);
  await close();
});

/** A shop in memory whose owner revoked the tokens of one label. */
const readerWithout = (label: string): Reader => {
  const reader = memoryReader(() => ({ shop: aShop() }));
  const revoked = { label, tokenEpoch: 0, revoked: true };
  return {
    ...reader,
    snapshot: (read) =>
      reader.snapshot((snapshot, footprint) =>
        read({ ...snapshot, agent: (name) => (name === label ? revoked : undefined) }, footprint),
      ),
  };
};

test("a 404 and the rejection of a revoked token have X-Data-Age too", async () => {
  const reader = readerWithout("withdrawn");
  const { url, close } = await open(undefined, { dataAge: () => 7, reader: () => reader });
  for (const path of ["/nowhere", "/products/99999.md", "/auth.md"]) {
    const response = await fetch(`${url}${path}`);
    assert.equal([response.status, ageOf(response)], [path === "/auth.md" ? 200 : 404, "7"], path);
  }
  for (const [token, status, age] of [
    [tokenFor("other"), 200, "7"],
    [tokenFor("withdrawn"), 401, "7"],
    // The signature alone decides here; no model is read.
    [`${tokenFor("other")}x`, 401, null],
  ] as const) {
    const response = await fetch(`${url}/agent/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    assert.equal([response.status, ageOf(response)], [status, age]);
  }
  await close();
});

test("an answer that does not come from a model has no X-Data-Age", async () => {
  const { url, close } = await open(undefined, { dataAge: () => 5, reader: () => undefined });
  const unready = await fetch(`${url}/llms.txt`);
  assert.equal([unready.status, ageOf(unready)], [503, null]);
  assert.is(ageOf(await fetch(`${url}/graphql/schema.graphql`)), null);
  await close();
});

test("without new reports from the projector the data age grows", () => {
  let now = 0;
  const { receive, age } = createAgeTracker(() => now);
  assert.is(age(), undefined);
  receive({ kind: "age", seconds: 2 });
  now = 2_900;
  assert.is(age(), 2);
  now = 30_000;
  assert.is(age(), 32);
  receive({ kind: "age", seconds: 0 });
  assert.is(age(), 0);
});

test.run();
