import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productBody } from "../connectors/shopify/bodies.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { chanceOf, effort } from "../helpers/effort.ts";
import { readEvents, secret, sign } from "../helpers/gateway.ts";
import { type Running, run, start, stop, until } from "../helpers/vitrine.ts";

const test = suite<{ directory: string }>("vitrine gateway");

test.before.each((context) => {
  context.directory = temporaryDirectory().path;
});

const shop = {
  ...{ platform: "shopify", url: "https://shop.example", currency: "EUR", categories: "none" },
  secret: { env: "SHOPIFY_SECRET" },
};

/** Writes a file of connections, and returns the arguments that name it. */
const argumentsFor = (directory: string, connections: object = { main: shop }): string[] => {
  const file = join(directory, "connections.json");
  writeFileSync(file, JSON.stringify({ connections }));
  const ports = ["--gateway-port", "0", "--gateway-ops-port", "0"];
  return ["gateway", "--connections", file, "--data-dir", join(directory, "data"), ...ports];
};

const options = { env: { SHOPIFY_SECRET: secret } };

const startGateway = async (directory: string): Promise<Running & { readonly url: string }> => {
  const running = start(argumentsFor(directory), options);
  const [, url = ""] = await running.says(/(http:\S+)\/connections\/main/);
  return { ...running, url };
};

const send = async (url: string, body: string): Promise<number | undefined> => {
  const headers = {
    "content-type": "application/json",
    "x-shopify-topic": "products/update",
    "x-shopify-hmac-sha256": sign(body),
  };
  try {
    const response = await fetch(`${url}/connections/main`, { method: "POST", headers, body });
    const { delivery } = (await response.json()) as { delivery?: number };
    return delivery;
  } catch {
    // The gateway was killed before its answer.
    return undefined;
  }
};

test("a second gateway for a data directory is refused", async ({ directory }) => {
  const gateway = await startGateway(directory);
  const second = await run(argumentsFor(directory), options);
  assert.is(second.code, 3);
  assert.match(second.stderr, /another gateway \(process \d+\) already takes deliveries/);
  const { code } = await stop(gateway);
  assert.is(code, 0);
});

const wrongFiles: readonly [connections: object, message: string][] = [
  [{ main: { ...shop, curency: "EUR" } }, "connections.main.curency is no member"],
  [{ main: { ...shop, secret: "hush" } }, "connections.main.secret must be"],
  [
    { main: { ...shop, secret: { env: "MISSING" } } },
    "connections.main.secret: the variable MISSING is empty",
  ],
  [{ main: { ...shop, secret: { file: "/nowhere" } } }, "connections.main.secret: ENOENT"],
  [
    { main: { ...shop, platform: "etsy" } },
    "connections.main.platform must be one of shopify, woocommerce, commercetools",
  ],
  [{ main: { ...shop, url: "https://shop.example/" } }, "connections.main.url must be"],
  [{ main: { ...shop, currency: "euro" } }, "connections.main.currency must be"],
  [{ main: { ...shop, locations: 0 } }, "connections.main.locations must be"],
  [
    { main: { ...shop, secret: [{ env: "A" }, { env: "B" }, { env: "C" }] } },
    "connections.main.secret must be",
  ],
  [{ "Main Shop": shop }, "must have a name of small letters"],
];

test("a wrong file of connections ends the start with the path", async ({ directory }) => {
  const runs = wrongFiles.map(([connections], at) => {
    const own = join(directory, String(at));
    writeFileSync(`${own}.json`, JSON.stringify({ connections }));
    return run(["gateway", "--connections", `${own}.json`, "--data-dir", `${own}-data`], options);
  });
  for (const [at, { code, stderr }] of (await Promise.all(runs)).entries()) {
    const [, message = ""] = wrongFiles[at] ?? [];
    assert.is(code, 2, stderr);
    assert.ok(stderr.includes(message), `${message}: ${stderr}`);
  }
});

/** Kills under load, at random points after the start. */
const kills = effort(6, 200);

test("after kill -9, each answered delivery is published once", async ({ directory }) => {
  const chance = chanceOf("gateway");
  const answered = new Set<number>();
  let next = 1;
  for (let kill = 0; kill < kills; kill += 1) {
    const gateway = await startGateway(directory);
    let isRunning = true;
    const client = async (): Promise<void> => {
      while (isRunning) {
        const id = next;
        next += 1;
        const body = JSON.stringify(productBody({ id, handle: `p-${id}` }));
        if ((await send(gateway.url, body)) !== undefined) answered.add(id);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    const target = answered.size + 1 + chance.below(200);
    await until(
      async () => answered.size,
      (size) => size >= target,
      60,
      5,
    );
    gateway.child.kill("SIGKILL");
    isRunning = false;
    await Promise.all([...clients, gateway.ended]);
  }
  const last = await startGateway(directory);
  const dataDir = join(directory, "data");
  const productIds = async () =>
    (await readEvents(dataDir))
      .filter(({ type }) => type === "shop.product.upserted")
      .map(({ subject }) => Number(subject.split("/")[1]));
  await until(productIds, (ids) => [...answered].every((id) => ids.includes(id)));
  await stop(last);
  const ids = await productIds();
  assert.is(new Set(ids).size, ids.length);
  assert.ok(answered.size > kills);
});

test.run();
