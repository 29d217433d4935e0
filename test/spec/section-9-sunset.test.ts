import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Layer } from "../../src/http/exchange.ts";
import { type Deprecation, endAtSunset } from "../../src/http/middleware/sunset.ts";
import { composeRoute, type Route } from "../../src/http/route.ts";
import { serveHandler } from "../http/serve-handler.ts";

const test = suite("§9 rule 4 a retired version");

const day = 86_400_000;
const policy = "https://agents.shop.example/versions.md";
const successor = "https://agents.shop.example/v2/graphql";

const retiredSince = (deprecated: number, more: Partial<Deprecation> = {}): Deprecation => ({
  deprecated: new Date(deprecated),
  sunset: new Date(deprecated + 180 * day),
  policy,
  successor,
  ...more,
});

/** Serves a row of the table, because the real table has no retired version. */
const ask = async (deprecation?: Deprecation): Promise<Response> => {
  const handler = () => ({ status: 200, body: "answer" });
  const row: Route = { name: "old", path: "/old", methods: ["GET"], cors: "any", handler };
  const pass: Layer = (next) => next;
  const route = composeRoute(
    { ...row, ...(deprecation && { deprecation }) },
    { guard: pass, admit: pass },
  );
  const { url, close } = await serveHandler(route);
  const response = await fetch(url);
  await response.clone().arrayBuffer();
  await close();
  return response;
};

test("§9 rule 4 carries Deprecation (RFC 9745), Sunset (RFC 8594) and links, and answers", async () => {
  const begun = Math.floor(Date.now() / 1000) * 1000 - 10 * day;
  const { status, headers } = await ask(retiredSince(begun));
  assert.is(status, 200);
  assert.is(headers.get("deprecation"), `@${begun / 1000}`);
  assert.is(headers.get("sunset"), new Date(begun + 180 * day).toUTCString());
  assert.is(
    headers.get("link"),
    [
      `<${policy}>; rel="deprecation"; type="text/markdown"`,
      `<${policy}>; rel="sunset"; type="text/markdown"`,
      `<${successor}>; rel="successor-version"`,
    ].join(", "),
  );
  assert.is(headers.get("api-version"), "1");
});

test("§9 rule 4 answers 404 not_found after the sunset date and names the successor", async () => {
  const response = await ask(retiredSince(Date.now() - 181 * day));
  assert.is(response.status, 404);
  assert.ok(response.headers.get("sunset"));
  assert.match(response.headers.get("link") ?? "", "successor-version");
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  assert.is(error.code, "not_found");
  assert.match(error.message, successor);
});

test("§9 rule 4 does not affect a current route", async () => {
  const { headers } = await ask();
  assert.is(headers.get("deprecation"), "false");
  assert.is(headers.get("sunset"), null);
  assert.is(headers.get("link"), null);
});

test("§9 rule 4 fewer than 180 days between the two dates are an error at start", () => {
  const deprecated = new Date("2027-01-01T00:00:00Z");
  for (const end of ["2027-06-29T23:59:59Z", "2026-12-31T00:00:00Z", "no date"]) {
    assert.throws(() => endAtSunset({ deprecated, sunset: new Date(end), policy }), "180 days");
  }
  endAtSunset({ deprecated, sunset: new Date("2027-06-30T00:00:00Z"), policy });
});

test.run();
