import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { temporaryDirectory } from "../helpers/directory.ts";
import { chanceOf, effort } from "../helpers/effort.ts";
import {
  assertPublishedOnce,
  gatewayArguments,
  gatewayEnv,
  openDeliveringShop,
  readLog,
  shopifyConnection,
  startGatewayProcess,
} from "../helpers/gateway-process.ts";
import { run, stop } from "../helpers/vitrine.ts";

const test = suite<{ directory: string }>("vitrine gateway");

test.before.each((context) => {
  context.directory = temporaryDirectory().path;
});

const options = { env: gatewayEnv };

test("a second gateway for a data directory is refused", async ({ directory }) => {
  const gateway = await startGatewayProcess(directory);
  const second = await run(gatewayArguments(directory), options);
  assert.is(second.code, 3);
  assert.match(second.stderr, /another gateway \(process \d+\) already takes deliveries/);
  const { code } = await stop(gateway);
  assert.is(code, 0);
});

const wrongFiles: readonly [connections: object, message: string][] = [
  [{ main: { ...shopifyConnection, curency: "EUR" } }, "connections.main.curency is no member"],
  [{ main: { ...shopifyConnection, secret: "hush" } }, "connections.main.secret must be"],
  [
    { main: { ...shopifyConnection, secret: { env: "MISSING" } } },
    "connections.main.secret: the variable MISSING is empty",
  ],
  [
    { main: { ...shopifyConnection, secret: { file: "/nowhere" } } },
    "connections.main.secret: ENOENT",
  ],
  [
    { main: { ...shopifyConnection, platform: "etsy" } },
    "connections.main.platform must be one of shopify, woocommerce, commercetools",
  ],
  [
    { main: { ...shopifyConnection, url: "https://shop.example/" } },
    "connections.main.url must be",
  ],
  [{ main: { ...shopifyConnection, currency: "euro" } }, "connections.main.currency must be"],
  [{ main: { ...shopifyConnection, locations: 0 } }, "connections.main.locations must be"],
  [
    { main: { ...shopifyConnection, secret: [{ env: "A" }, { env: "B" }, { env: "C" }] } },
    "connections.main.secret must be",
  ],
  [{ "Main Shop": shopifyConnection }, "must have a name of small letters"],
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
  const shop = openDeliveringShop();
  for (let kill = 0; kill < kills; kill += 1) {
    const gateway = await startGatewayProcess(directory);
    const sending = shop.start(gateway.url);
    await shop.more(1 + chance.below(200));
    gateway.child.kill("SIGKILL");
    await Promise.all([sending.stop(), gateway.ended]);
  }
  const last = await startGatewayProcess(directory);
  await last.drained();
  await stop(last);
  assertPublishedOnce(shop, await readLog("journal:", last.dataDir));
  assert.ok(shop.answered.size > kills);
});

test.run();
