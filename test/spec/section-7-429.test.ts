import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFixedWindow } from "../../src/http/rate-limit/rate-limit.ts";
import { robotsUpdated, settingsUpdated } from "../helpers/events.ts";
import { openTestServer } from "../helpers/test-server.ts";

const test = suite("§7.2 429 and 403");

interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly retry_after?: number;
  };
  /** Of /graphql (contract §4). */
  readonly errors?: readonly unknown[];
}

const limitedTo = (limit: number) => {
  const count = createFixedWindow(limit, () => performance.now());
  return openTestServer({ rateLimit: { limit, trustedProxies: 0, count } });
};

test("§7.2 429 rate_limited: Retry-After, retry_after and RateLimit-Reset have the same seconds", async () => {
  const service = await limitedTo(1);
  await (await service.get("/nothing")).arrayBuffer();
  const response = await service.post({ query: "{ shop { name } }" });
  assert.is(response.status, 429);
  assert.is(response.headers.get("cache-control"), "no-store");
  assert.is(response.headers.get("api-version"), "1");
  assert.is(response.headers.get("ratelimit-remaining"), "0");
  const { error, errors } = (await response.json()) as ErrorBody;
  assert.is(error.code, "rate_limited");
  assert.equal(errors, [{ message: error.message, extensions: { code: "rate_limited" } }]);
  assert.is(error.retry_after, Number(response.headers.get("retry-after")));
  assert.is(error.retry_after, Number(response.headers.get("ratelimit-reset")));
  assert.ok(Number(error.retry_after) >= 1 && Number(error.retry_after) <= 60);
  const text = await service.get("/nothing", { accept: "text/plain" });
  assert.match(await text.text(), /^rate_limited: [^\n]+\n$/);
  await service.close();
});

test("§7.2, §5 rule 7: an agent that robots.txt disallows gets 403 on every route but /robots.txt", async () => {
  const service = await openTestServer();
  service.apply(settingsUpdated(), robotsUpdated("User-agent: BadBot\nDisallow: /\n"));
  const agent = { "user-agent": "Mozilla/5.0 (compatible; BadBot/2.1; +https://bad.example)" };
  for (const response of [
    await service.post({ query: "{ shop { name } }" }, agent),
    await service.get("/graphql/schema.graphql", agent),
    await service.get("/llms.txt", agent),
    await service.get("/.well-known/api-catalog", agent),
    await service.request("/agent/mcp", { method: "POST", headers: agent }),
    await service.request("/v1/register", { method: "POST", headers: agent }),
    await service.get("/nothing", agent),
  ]) {
    assert.is(response.status, 403, response.url);
    assert.is(((await response.json()) as ErrorBody).error.code, "forbidden");
    assert.ok(response.headers.get("ratelimit-remaining"));
  }
  assert.is((await service.post({ query: "{ shop { name } }" })).status, 200);
  await service.close();
});

test("§5 rule 7: a path that robots.txt allows to the agent stays open", async () => {
  const service = await openTestServer();
  const rules = "User-agent: BadBot\nDisallow: /graphql\nAllow: /graphql/schema\n";
  service.apply(settingsUpdated(), robotsUpdated(rules));
  const agent = { "user-agent": "BadBot" };
  assert.is((await service.post({ query: "{ shop { name } }" }, agent)).status, 403);
  assert.is((await service.get("/graphql/schema.graphql", agent)).status, 200);
  await service.close();
});

test.run();
