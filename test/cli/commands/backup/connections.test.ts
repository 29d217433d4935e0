import { rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { BackupReport } from "../../../../src/cli/commands/backup/command.ts";
import type { RestoreReport } from "../../../../src/cli/commands/restore/command.ts";
import { listRefused } from "../../../../src/gateway/inbox/operate.ts";
import {
  connectionsDirectory,
  type InboxMeta,
  openConnectionTables,
} from "../../../../src/gateway/inbox/tables.ts";
import { lockConnections } from "../../../../src/projector/integrity/lock.ts";
import { readManifest } from "../../../../src/read-model/generations/backup-manifest.ts";
import { openDataDirectory } from "../../../../src/read-model/generations/data-directory.ts";
import { levelBody, productBody } from "../../../connectors/shopify/bodies.ts";
import { catchUp, mustMatchManifest } from "../../../helpers/backups.ts";
import { temporaryDirectory } from "../../../helpers/directory.ts";
import { openGateway, readEvents, type TestGateway } from "../../../helpers/gateway.ts";
import { runHere } from "../../../helpers/run-here.ts";
import { run, until } from "../../../helpers/vitrine.ts";

const test = suite("backup and restore of connections");

const newPath = (name: string) => join(temporaryDirectory().path, name);

/** In a process of its own, because a gateway of the test has the inbox open. */
const json = async <T>(args: readonly string[], dataDir: string): Promise<T> => {
  const { code, stdout, stderr } = await run([...args, "--json", "--data-dir", dataDir]);
  assert.is(code, 0, stderr);
  return JSON.parse(stdout);
};
const backedUp = (target: string, dataDir: string) =>
  json<BackupReport>(["backup", target], dataDir);
const restored = (target: string, dataDir: string) =>
  json<RestoreReport>(["restore", target], dataDir);

/** Reads the counters of the inbox of `main`, which no gateway of this process has open. */
const readMeta = async (dataDir: string): Promise<InboxMeta | undefined> => {
  const { env, meta } = openConnectionTables(join(connectionsDirectory(dataDir), "main"), true);
  const row = meta.get("inbox");
  await env.close();
  return row;
};

const openShop = async (): Promise<TestGateway> => {
  const dataDir = newPath("data");
  openDataDirectory(dataDir);
  return openGateway({ dataDir });
};

const untilEvents = (gateway: TestGateway, count: number) =>
  until(gateway.events, (events) => events.length >= count);

const inboxesOf = (ids: readonly string[]) => new Set(ids.map((id) => id.split("/")[1]));

const toTime = (minute: number): string => new Date(minute * 60_000).toISOString();

/** A product of a minute, with another name. */
const renamed = (minute: number) =>
  productBody({ title: `Tee ${minute}`, updated_at: toTime(minute) });

/** Minute of the first renamed product: 2026-11-01. */
const firstMinute = Date.UTC(2026, 10, 1) / 60_000;

test("a backup beside a gateway is restored elsewhere, where no event id repeats", async () => {
  const gateway = await openShop();
  const { dataDir } = gateway;
  await gateway.send("products/update", { id: 1 });
  await gateway.send("products/update", productBody());
  await untilEvents(gateway, 4);
  await catchUp(dataDir);
  const target = newPath("backup");
  let isDone = false;
  const backingUp = backedUp(target, dataDir).finally(() => {
    isDone = true;
  });
  let sent = 0;
  for (; !isDone; sent += 1) await gateway.send("products/update", renamed(firstMinute + sent));
  const report = await backingUp;
  assert.equal(report.connections, ["main"]);
  assert.is(report.layout, 3);
  await mustMatchManifest(target);
  await gateway.stop();

  const elsewhere = newPath("elsewhere");
  const { connections } = await restored(target, elsewhere);
  assert.equal(connections, { restored: ["main"], kept: [] });
  await json(["verify"], elsewhere);
  const [before, meta] = [await readMeta(dataDir), await readMeta(elsewhere)];
  assert.ok(before && meta && before.inbox !== meta.inbox);
  assert.ok(meta.last >= 2 && meta.last < before.last, `${meta.last} of ${before.last}: none came`);
  const copied = await readEvents(elsewhere);
  assert.equal([...inboxesOf(copied.map(({ id }) => id))], [before.inbox]);

  const again = await openGateway({ dataDir: elsewhere });
  await again.send("products/update", renamed(firstMinute + sent));
  await again.send(
    "inventory_levels/update",
    levelBody({ available: 8, updated_at: toTime(firstMinute + sent + 1) }),
  );
  const isStock = ({ type, data }: { readonly type: string; readonly data: unknown }): boolean =>
    type === "shop.stock.changed" && JSON.stringify(data).includes('"quantity":8');
  const events = await until(again.events, (found) => found.some(isStock));
  const stock = events.find(isStock)?.data as { readonly variantId?: number } | undefined;
  assert.is(stock?.variantId, 501, "the state has the variant of the item");
  assert.equal([...inboxesOf(events.slice(copied.length).map(({ id }) => id))], [meta.inbox]);
  assert.is(new Set(events.map(({ id }) => id)).size, events.length);
  await again.stop();
  const refused = await listRefused(elsewhere, "main");
  assert.equal(
    refused.map(({ delivery, path }) => [delivery, path]),
    [[1, "title"]],
  );
});

test("a restored connection publishes a body again, once, because the log may be newer", async () => {
  const gateway = await openShop();
  const { dataDir } = gateway;
  await gateway.send("products/update", productBody());
  const { length } = await untilEvents(gateway, 4);
  await catchUp(dataDir);
  const target = newPath("backup");
  await backedUp(target, dataDir);
  await gateway.stop();
  const elsewhere = newPath("elsewhere");
  await restored(target, elsewhere);
  const again = await openGateway({ dataDir: elsewhere });
  for (let at = 0; at < 3; at += 1) await again.send("products/update", productBody());
  await again.send("products/update", { id: 1 });
  await until(
    async () => (await again.ops("/metrics")).text,
    (text) => text.includes('outcome="refused"} 1'),
  );
  const events = await again.events();
  await again.stop();
  assert.is(events.length, 2 * length);
  assert.equal(events[length]?.data, events[0]?.data);
});

test("a restore replaces no inbox of the data directory", async () => {
  const gateway = await openShop();
  const { dataDir } = gateway;
  await gateway.send("products/update", productBody());
  await untilEvents(gateway, 4);
  await catchUp(dataDir);
  const target = newPath("backup");
  await backedUp(target, dataDir);
  await gateway.send("products/update", { id: 1 });
  await gateway.stop();
  const before = await readMeta(dataDir);
  const { code, stdout, stderr } = await runHere(["restore", target, "--data-dir", dataDir]);
  assert.is(code, 0, stderr);
  assert.match(stderr, "the data directory keeps its own inboxes of the connections main");
  assert.not.match(stdout, "with the connections");
  assert.equal(await readMeta(dataDir), before);
});

test("a restore of a connection is rejected while a gateway runs, and changes nothing", async () => {
  const gateway = await openShop();
  await gateway.send("products/update", productBody());
  await untilEvents(gateway, 4);
  await catchUp(gateway.dataDir);
  const target = newPath("backup");
  const { stdout } = await run(["backup", target, "--data-dir", gateway.dataDir]);
  assert.match(stdout, "with the connections main");
  await gateway.stop();
  const elsewhere = newPath("elsewhere");
  openDataDirectory(elsewhere);
  const release = await lockConnections(elsewhere, () => undefined);
  const { code, stderr } = await run(["restore", target, "--data-dir", elsewhere]);
  assert.is(code, 3);
  assert.match(stderr, /another gateway \(process \d+\) already takes deliveries into/);
  assert.is(openDataDirectory(elsewhere).live(), undefined);
  await release();
  const { connections } = await restored(target, elsewhere);
  assert.equal(connections.restored, ["main"]);
});

test("a backup without connections keeps its layout", async () => {
  const source = await openShop();
  await source.send("products/update", productBody());
  await untilEvents(source, 4);
  await source.stop();
  await catchUp(source.dataDir);
  rmSync(connectionsDirectory(source.dataDir), { recursive: true });
  const target = newPath("backup");
  const report = await backedUp(target, source.dataDir);
  assert.equal([report.layout, report.connections], [2, []]);
  assert.not.match(JSON.stringify(readManifest(target)), "connections");
});

test.run();
