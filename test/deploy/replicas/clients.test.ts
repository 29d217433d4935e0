import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../src/package-info.ts";
import { childrenOf, run, until } from "../../helpers/vitrine.ts";
import { openClient } from "../proxy/https-client.ts";
import { hostName } from "../proxy/start-proxy.ts";
import { clientAddress, type Fleet, openFleet, type Replica, replicaEnv } from "./fleet.ts";

/** Requests a minute for each client address. */
const rateLimit = 40;

/** Seconds after which a change of a token must hold everywhere. */
const maxTokenSeconds = 1;

const test = suite<{ fleet: Fleet }>("deploy/replicas: tokens and rate limits");

test.before(async (context) => {
  context.fleet = await openFleet(rateLimit);
  const { cluster, replicas } = context.fleet;
  const shop = join(packageRoot, "deploy", "demo", "shop.ndjson");
  const published = await run(["publish", shop, "--events", cluster.url]);
  assert.is(published.code, 0, published.stderr);
  await Promise.all(replicas.map((replica) => replica.running().ready()));
});
test.after(({ fleet }: { fleet?: Fleet }) => fleet?.close());

/** Runs `vitrine token` at a replica. @returns the token; "" for `revoke` */
const token = async (
  { cluster }: Fleet,
  { dataDir }: Replica,
  action: "issue" | "regenerate" | "revoke",
  label: string,
): Promise<string> => {
  const args = ["--label", label, "--data-dir", dataDir, "--events", cluster.url];
  const { code, stdout, stderr } = await run(["token", action, ...args], { env: replicaEnv });
  assert.is(code, 0, stderr);
  return action === "revoke" ? "" : stdout.trim();
};

/** Returns what each replica answers to a token: 200 or 401. */
const statusesOf = ({ replicas }: Fleet, bearer: string): Promise<readonly number[]> =>
  Promise.all(
    replicas.map(async ({ port }, at) => {
      const response = await fetch(`http://127.0.0.1:${port}/agent/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${bearer}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          // Each poll has a client of its own, because the rate limit is low.
          "x-forwarded-for": `10.${at}.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
      });
      await response.arrayBuffer();
      return response.status;
    }),
  );

/** Checks that within a second every replica answers a token with one status. */
const mustHold = async (fleet: Fleet, bearer: string, status: 200 | 401): Promise<void> => {
  await until(
    () => statusesOf(fleet, bearer),
    (statuses) => statuses.every((each) => each === status),
    maxTokenSeconds,
  );
};

test("a token that one replica registers or issues is valid at all", async ({ fleet }) => {
  const [first, second] = fleet.replicas as [Replica, Replica];
  const response = await fetch(`http://127.0.0.1:${first.port}/v1/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ label: "registered" }),
  });
  const registered = (await response.json()) as { readonly token: string };
  await mustHold(fleet, registered.token, 200);
  await mustHold(fleet, await token(fleet, second, "issue", "issued"), 200);
});

test("a token that was regenerated or revoked at one replica ends at all within a second", async ({
  fleet,
}) => {
  const [first, second, third] = fleet.replicas as [Replica, Replica, Replica];
  const before = await token(fleet, first, "issue", "ended");
  const after = await token(fleet, second, "regenerate", "ended");
  await mustHold(fleet, before, 401);
  await mustHold(fleet, after, 200);
  await token(fleet, third, "revoke", "ended");
  await mustHold(fleet, after, 401);
});

test("of two concurrent regenerations one token is valid, at all replicas", async ({ fleet }) => {
  const [first, second] = fleet.replicas as [Replica, Replica];
  for (const label of ["raced-1", "raced-2", "raced-3"]) {
    const tokens = await Promise.all([
      token(fleet, first, "regenerate", label),
      token(fleet, second, "regenerate", label),
    ]);
    const valid = await until(
      async () => {
        const statuses = await Promise.all(tokens.map((each) => statusesOf(fleet, each)));
        return statuses.map((each) => each.join()).sort();
      },
      (statuses) => statuses.join(" ") === "200,200,200 401,401,401",
      maxTokenSeconds,
    );
    assert.is(valid.length, 2);
  }
});

const askNginx = async (
  { nginx }: Fleet,
  address: string,
  times: number,
): Promise<readonly string[]> => {
  const client = await openClient(nginx.port, hostName, address);
  const remaining: string[] = [];
  for (let at = 0; at < times; at += 1) {
    const { status, headers } = await client.get("/llms.txt");
    remaining.push(status === 200 ? String(headers["ratelimit-remaining"]) : String(status));
  }
  client.close();
  return remaining;
};

test("the rate limit of each client is exact, over several connections", async ({ fleet }) => {
  for (const address of [11, 12, 13, 14, 15, 16].map(clientAddress)) {
    const first = await askNginx(fleet, address, rateLimit / 2);
    const second = await askNginx(fleet, address, rateLimit / 2 + 1);
    const expected = Array.from({ length: rateLimit }, (_, at) => String(rateLimit - 1 - at));
    assert.equal([...first, ...second], [...expected, "429"], address);
  }
});

test("when a replica leaves, its clients begin a new window at another one, and no other client does", async ({
  fleet,
}) => {
  const addresses = Array.from({ length: 12 }, (_, at) => clientAddress(21 + at));
  for (const address of addresses) await askNginx(fleet, address, 10);
  const [leaving] = fleet.replicas as [Replica];
  const pid = Number(leaving.running().child.pid);
  for (const each of [pid, ...(await childrenOf(pid)).values()]) process.kill(each, "SIGKILL");
  const next = await Promise.all(addresses.map((address) => askNginx(fleet, address, 1)));
  const counts = next.map(([remaining]) => Number(remaining));
  const moved = counts.filter((remaining) => remaining === rateLimit - 1);
  const stayed = counts.filter((remaining) => remaining === rateLimit - 11);
  assert.is(moved.length + stayed.length, addresses.length, counts.join());
  assert.ok(moved.length > 0 && stayed.length > 0, counts.join());
  await leaving.start();
});

test.run();
