import { readdirSync, truncateSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { tokenFor } from "../helpers/access.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { settingsUpdated } from "../helpers/events.ts";
import { publishTo } from "../helpers/publish.ts";
import { openTestServer } from "../helpers/test-server.ts";
import { startVitrine, until } from "../helpers/vitrine.ts";

const test = suite("contract §6");

interface Registered {
  readonly token: string;
}

const register = (url: string, label: string, headers: object = {}): Promise<Response> =>
  fetch(`${url}/v1/register`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ label }),
  });

const tokenOf = async (response: Response): Promise<string> =>
  ((await response.json()) as Registered).token;

const listTools = async (url: string, token: string): Promise<number> => {
  const response = await fetch(`${url}/agent/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  await response.arrayBuffer();
  return response.status;
};

test("contract §6: a token is valid on every replica that shares the secret, in either mode", async () => {
  const [one, other] = [await openTestServer(), await openTestServer({ registration: "closed" })];
  one.apply(settingsUpdated());
  const token = tokenFor("replicated");
  assert.is(await listTools(one.url, token), 200);
  assert.is(await listTools(other.url, token), 200);
  await one.close();
  await other.close();
});

/** Starts the service with a shop. */
const startShop = async (env: Readonly<Record<string, string>> = {}) => {
  const dataDir = join(temporaryDirectory().path, "data");
  await publishTo(dataDir, [settingsUpdated()]);
  const service = await startVitrine([], { dataDir, env });
  await service.ready();
  return service;
};

test("contract §6: no log line contains a token, however it is sent", async () => {
  const service = await startShop({ LOG_LEVEL: "trace" });
  const token = await tokenOf(await register(service.url, "never logged"));
  assert.is(await listTools(service.url, token), 200);
  assert.is(await listTools(service.url, `${token}x`), 401);
  await (await fetch(`${service.url}/agent/mcp?access_token=${token}`)).arrayBuffer();
  const { stdout, stderr } = await service.stop();
  assert.not.match(stdout + stderr, token.slice(0, 20));
});

const damages: readonly (readonly [what: string, damage: (book: string) => Promise<void>])[] = [
  [
    "a file has its path",
    async (book) => {
      await rm(book, { recursive: true });
      writeFileSync(book, "torn");
    },
  ],
  [
    "its entries are torn",
    async (book) => {
      for (const shelf of readdirSync(book)) {
        for (const name of readdirSync(join(book, shelf))) {
          await rm(join(book, shelf, name));
          writeFileSync(join(book, shelf, name), "torn");
          truncateSync(join(book, shelf, name), 1);
        }
      }
    },
  ],
];

test("contract §6: a damaged idempotency store stops no process, rejects no client, and is logged", async () => {
  const service = await startShop();
  const key = { "idempotency-key": "once" };
  const first = await tokenOf(await register(service.url, "agent", key));
  for (const [what, damage] of damages) {
    await damage(join(service.dataDir, "registrations"));
    const again = await register(service.url, "agent", key);
    assert.is(again.status, 201, what);
    assert.is(await tokenOf(again), first, "the token needs no storage");
    await until(
      async () => service.stderr() + service.stdout(),
      (output) => output.includes("the idempotency keys cannot be kept"),
    );
    await rm(join(service.dataDir, "registrations"), { recursive: true });
    assert.is((await register(service.url, "agent", key)).status, 201);
  }
  const { text } = await service.ops("/metrics");
  assert.not.match(text, /restarts_total\{[^}]*\} [1-9]/);
  assert.is((await service.stop()).code, 0);
});

test.run();
