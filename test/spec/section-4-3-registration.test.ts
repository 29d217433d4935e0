import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readToken } from "../../src/surfaces/access/bearer.ts";
import { testSecret } from "../helpers/access.ts";
import { settingsUpdated, tokenRegenerated, tokenRevoked } from "../helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("§4.3 registration");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(settingsUpdated());
});
test.after(({ service }) => service.close());

const register = (service: TestServer, body: unknown, headers: Record<string, string> = {}) =>
  service.request("/v1/register", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const tokenOf = async (response: Response): Promise<string> => {
  assert.is(response.status, 201);
  return ((await response.json()) as { token: string }).token;
};

interface Refusal {
  readonly error: { readonly code: string; readonly message: string };
}
const refusalOf = async (response: Response): Promise<Refusal["error"]> =>
  ((await response.json()) as Refusal).error;

test("§4.3 a label is answered with 201 and a token, and no cache may store the answer", async ({
  service,
}) => {
  const response = await register(service, { label: "price-watcher" });
  assert.is(response.status, 201);
  assert.is(response.headers.get("cache-control"), "no-store");
  assert.is(response.headers.get("idempotency-replayed"), null);
  const { token, ...rest } = (await response.json()) as { token: string };
  assert.equal(rest, {
    token_type: "Bearer",
    label: "price-watcher",
    expires_at: null,
    endpoint: `${baseUrl}/agent/mcp`,
  });
  const claims = { label: "price-watcher", tokenEpoch: 0, isSelfIssued: true };
  assert.equal(readToken(token, testSecret), claims);
});

test("§4.3 two registrations of one label return two different tokens", async ({ service }) => {
  const one = await tokenOf(await register(service, { label: "twice" }));
  assert.is.not(one, await tokenOf(await register(service, { label: "twice" })));
});

test("§4.3 the same Idempotency-Key and label give the same token; the key may be quoted", async ({
  service,
}) => {
  const tokens: string[] = [];
  for (const key of ["8e03978e", '"8e03978e"', "8e03978e"]) {
    const response = await register(service, { label: "again" }, { "idempotency-key": key });
    assert.is(response.headers.get("idempotency-replayed"), key);
    tokens.push(await tokenOf(response));
  }
  assert.is(new Set(tokens).size, 1);
});

test("§4.3 an Idempotency-Key that was used with another label is rejected", async ({
  service,
}) => {
  const headers = { "idempotency-key": "one key" };
  assert.is((await register(service, { label: "first" }, headers)).status, 201);
  const response = await register(service, { label: "second" }, headers);
  assert.is(response.status, 400);
  assert.is((await refusalOf(response)).code, "bad_request");
  assert.is((await register(service, { label: "first" }, headers)).status, 201);
});

test("§4.3 a rejected request does not use up its Idempotency-Key", async ({ service }) => {
  const headers = { "idempotency-key": "key of a slip" };
  assert.is((await register(service, { label: "" }, headers)).status, 400);
  assert.is((await register(service, { label: "mended" }, headers)).status, 201);
});

test("§4.3 an Idempotency-Key has 1 to 255 characters", async ({ service }) => {
  const status = async (key: string) =>
    (await register(service, { label: "keys" }, { "idempotency-key": key })).status;
  assert.is(await status("k".repeat(255)), 201);
  assert.is(await status(`"${"k".repeat(255)}"`), 201);
  for (const bad of ["", '""', "k".repeat(256), "schl\u00fcssel"])
    assert.is(await status(bad), 400);
});

test("§4.3 a label has 1 to 100 characters, whatever they are", async ({ service }) => {
  for (const label of ["a", "x".repeat(100), "\u{1f6d2}".repeat(100)]) {
    assert.is((await register(service, { label })).status, 201, label);
  }
});

for (const [what, body, start] of [
  ["a missing label", {}, "label is missing: it must be a text of 1 to 100 characters"],
  ["a null label", { label: null }, "label is missing"],
  ["an empty label", { label: "" }, "label must be a text of 1 to 100 characters"],
  ["a label of 101 characters", { label: "x".repeat(101) }, "label must be"],
  ["a label that is not a string", { label: 7 }, "label must be"],
  ["a label with a control character", { label: "a\nb" }, "label must be"],
  ["a body that is not an object", ["price-watcher"], "Send a JSON object"],
  ["a body that is not JSON", "label=x", "Send a JSON object"],
  ["an empty body", "", "Send a JSON object"],
] as const) {
  test(`§4.3 ${what} is 400 and the message states what is wanted`, async ({ service }) => {
    const response = await register(service, body);
    assert.is(response.status, 400);
    const { code, message } = await refusalOf(response);
    assert.is(code, "bad_request");
    assert.ok(message.startsWith(start), message);
  });
}

test("§4.3 other members of the body are ignored", async ({ service }) => {
  const body = { label: "polite", type: "anonymous", constructor: 1 };
  assert.is((await register(service, body)).status, 201);
});

test("§4.3 a body over 4 KB is 413, another media type is 415, another method is 405", async ({
  service,
}) => {
  const fits = JSON.stringify({ label: "a", pad: "" });
  const pad = (bytes: number) =>
    JSON.stringify({ label: "a", pad: "x".repeat(bytes - fits.length) });
  assert.is((await register(service, pad(4096))).status, 201);
  assert.is((await register(service, pad(4097))).status, 413);
  assert.is((await register(service, "{}", { "content-type": "text/plain" })).status, 415);
  const get = await service.get("/v1/register");
  assert.is(get.status, 405);
  assert.is(get.headers.get("allow"), "POST");
});

test("§4.3 a token has the current generation of its label", async ({ service }) => {
  service.apply(tokenRegenerated("renewed", 5));
  const token = await tokenOf(await register(service, { label: "renewed" }));
  assert.is(readToken(token, testSecret)?.tokenEpoch, 5);
});

test("§4.3 a label that the owner revoked gets no new token", async ({ service }) => {
  service.apply(tokenRevoked("banned", 1));
  const response = await register(service, { label: "banned" });
  assert.is(response.status, 403);
  assert.is((await refusalOf(response)).code, "forbidden");
});

test("§4.3 without a model, revocations are unknown and registration is 503", async () => {
  const service = await openTestServer({ loaded: false });
  const response = await register(service, { label: "early" });
  assert.is(response.status, 503);
  assert.ok(Number(response.headers.get("retry-after")) > 0);
  await service.close();
});

test("§4.3 where registration is closed, /v1/register is 404 for every method", async () => {
  const service = await openTestServer({ registration: "closed" });
  service.apply(settingsUpdated());
  const response = await register(service, { label: "hopeful" });
  assert.is(response.status, 404);
  assert.is((await refusalOf(response)).code, "not_found");
  assert.is((await service.get("/v1/register")).status, 404);
  await service.close();
});

test.run();
