import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { operatorDirectory } from "../../../src/read-model/operator/directory.ts";
import { findFreePort } from "../../helpers/free-port.ts";
import { inOwnMounts, smallDisk } from "../../helpers/small-disk.ts";
import { drillOf } from "./harness/drill.ts";
import type { Installation, InstallationOptions } from "./harness/installation.ts";
import { shopEvents } from "./harness/shop.ts";

await inOwnMounts(import.meta.url);

const drill = drillOf("It does not start");

/** Checks the exit code and the message of a start. @param args further arguments of `serve` */
const mustEnd = async (
  shop: Installation,
  code: number,
  message: string | RegExp,
  args = "",
): Promise<void> => {
  assert.match(drill.section.text, `| ${code} |`);
  const run = await shop.shell(`vitrine serve ${args}`);
  assert.is(run.code, code, run.output);
  assert.match(run.output, message);
};

/** An installation that has served the shop and was stopped. */
const afterServing = async (options?: InstallationOptions): Promise<Installation> => {
  const shop = await drill.install(options);
  await shop.publish(shopEvents());
  await shop.serveReady();
  await shop.service().stop();
  return shop;
};

drill.test("2: all bad settings are named", async () => {
  const shop = await drill.install();
  await mustEnd(shop, 2, /--workers[\s\S]*--max-lag/, "--workers 0 --max-lag never");
});

drill.test("3: the data directory is not Vitrine's, or has another writer", async () => {
  const shop = await drill.install();
  await mustEnd(shop, 3, "is not empty and not a data directory of Vitrine", "--data-dir bin");
  await shop.publish(shopEvents());
  await shop.serveReady();
  await mustEnd(shop, 3, "already writes to", "--port 0 --ops-port 0");
});

drill.test("3: the journal or the operator state is damaged", async () => {
  const shop = await afterServing();
  truncateSync(join(shop.dataDir, "journal", "data.mdb"), 20_000);
  await mustEnd(shop, 3, /the journal .* is damaged/);
  const other = await afterServing();
  truncateSync(join(operatorDirectory(other.dataDir), "data.mdb"), 6_000);
  const { code, output } = await other.shell("vitrine project");
  assert.is(code, 3, output);
  assert.match(output, /the operator state .* is damaged/);
});

drill.test("3: the disk is read-only", async () => {
  const disk = smallDisk(16);
  const shop = await afterServing({ home: disk.path });
  execFileSync("mount", ["-o", "remount,ro", disk.path]);
  await mustEnd(shop, 3, /read-only|EROFS/i);
  execFileSync("mount", ["-o", "remount,rw", disk.path]);
});

drill.test("4: the event log cannot be reached, and there is no model", async () => {
  const port = await findFreePort();
  const shop = await drill.install({ events: `nats://127.0.0.1:${port}` });
  await mustEnd(shop, 4, "connection refused");
});

drill.test("7: a port is in use", async () => {
  const shop = await drill.install();
  const other = createServer().listen(Number(shop.env.PORT), "127.0.0.1");
  await once(other, "listening");
  await mustEnd(shop, 7, String(shop.env.PORT));
  other.close();
});

drill.test("70: a bug", async () => {
  const shop = await drill.install();
  const bug = `import http from "node:http"; import { syncBuiltinESMExports } from "node:module";
http.createServer = () => { throw new TypeError("a bug"); }; syncBuiltinESMExports();`;
  writeFileSync(join(shop.directory, "bug.mjs"), bug);
  await mustEnd(
    { ...shop, shell: (commands) => shop.shell(`NODE_OPTIONS="--import ./bug.mjs" ${commands}`) },
    70,
    "a bug",
  );
});

drill.end();
