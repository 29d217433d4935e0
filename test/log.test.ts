import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createLogger, redactSecrets } from "../src/log.ts";
import { settingsUpdated } from "./helpers/events.ts";
import { startNats } from "./helpers/nats.ts";
import { ndjson, run, startVitrine, until } from "./helpers/vitrine.ts";

const test = suite("log");

const logged = (write: (log: ReturnType<typeof createLogger>) => void): string => {
  const lines: string[] = [];
  write(createLogger("trace", "test", { write: (line) => void lines.push(line) }));
  return lines.join("");
};

test("each log line is one JSON object with a constant message", () => {
  const [first = "", ...more] = logged((log) => log.warn({ sequence: 7 }, "refused")).split("\n");
  assert.equal(more, [""]);
  const { level, name, msg, sequence } = JSON.parse(first);
  assert.equal(
    { level, name, msg, sequence },
    { level: 40, name: "test", msg: "refused", sequence: 7 },
  );
});

test("a secret is redacted at any depth", () => {
  const token = "vit_WyJteSBhZ2VudCIsMSwieHl6Il0.c2lnbmF0dXJlLW9mLXRoaXM";
  const seed = `SU${"A2".repeat(28)}`;
  const text = logged((log) => {
    log.info({ authorization: `Bearer ${token}`, token, tokenSecret: "hunter-secret" }, "fields");
    log.info({ headers: { authorization: "Basic aHVudGVyLXNlY3JldA==" } }, "headers");
    log.info({ config: { nats: { pass: "hunter-secret" }, tokenSecret: "hunter-secret" } }, "deep");
    log.error(
      { err: new Error(`no answer from nats://shop:hunter-secret@host:4222 ${token}`) },
      "x",
    );
    log.warn('nats://shop:p@ss/hunter-secret/@host:4223, nats://shop:a"hunter-secret@host:4224');
    log.error(`tls://hunter-secret@host, Bearer abcdefgh.hunter-secret, ${seed}`);
  });
  for (const secret of ["hunter-secret", "aHVudGVy", token.slice(4, 20), seed.slice(0, 30)]) {
    assert.not.match(text, secret);
  }
  for (const port of [4222, 4223, 4224]) assert.match(text, `nats://…@host:${port}`);
});

test("other members are not redacted", () => {
  for (const text of [
    "https://shop.example/a?b=c@d",
    "bearer of news",
    "nats://host:4222",
    "a@b",
  ]) {
    assert.is(redactSecrets(text), text);
  }
});

test("the log of a service at level trace contains no token, password or secret", async () => {
  const nats = await startNats('authorization { user: shop, password: "hunter-password" }');
  const events = nats.url.replace("//", "//shop:hunter-password@");
  const env = { LOG_LEVEL: "trace", TOKEN_SECRET: "hunter-token-secret-of-the-shop" };
  const published = await run(["publish", "-", "--events", events], {
    env,
    input: ndjson([settingsUpdated()]),
  });
  assert.is(published.code, 0, published.stderr);
  const service = await startVitrine(["--events", events], { env });
  await service.ready();
  const registered = await fetch(`${service.url}/v1/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ label: "price watcher" }),
  });
  const { token } = (await registered.json()) as { readonly token: string };
  for (const bearer of [token, `${token}x`]) {
    await fetch(`${service.url}/agent/mcp?token=${bearer}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
  }
  await nats.kill();
  const away = await until(
    () => service.ops("/status"),
    ({ text }) => JSON.parse(text).state === "waiting",
  );
  const { stdout, stderr } = await service.stop();
  await nats.remove();
  const output = [stdout, stderr, away.text, published.stdout, published.stderr].join("\n");
  for (const secret of ["hunter-password", "hunter-token-secret", token.slice(4, 30)]) {
    assert.not.match(output, secret);
  }
  const lines = stderr.trim().split("\n");
  assert.ok(lines.length > 5);
  for (const line of lines) assert.type(JSON.parse(line).msg, "string");
  assert.match(stderr, '"msg":"request"');
  assert.match(stderr, '"msg":"projector state"');
});

test.run();
