import { existsSync, truncateSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { childPid } from "../../helpers/vitrine.ts";
import { drillOf } from "./harness/drill.ts";
import type { Installation } from "./harness/installation.ts";
import { shopEvents } from "./harness/shop.ts";
import { mustAnswer } from "./harness/status.ts";

const drill = drillOf("The journal is damaged");

const damage = ({ dataDir }: Installation): void =>
  truncateSync(join(dataDir, "journal", "data.mdb"), 20_000);

/** Ends the projector, because it does not read the damaged parts of the journal before another start. */
const endProjector = async (shop: Installation): Promise<void> => {
  process.kill(await childPid(shop.service(), "vitrine projector"), "SIGKILL");
};

drill.test("with a backup: the journal is restored", async () => {
  const shop = await drill.install();
  await shop.publish(shopEvents());
  await shop.serveReady(["--max-lag", "2"]);
  assert.is((await shop.shell("vitrine backup backup")).code, 0);
  damage(shop);
  await endProjector(shop);
  await drill.reaches(shop, { state: "silent", reason: "is damaged", unready: "seconds behind" });
  await mustAnswer(shop.service(), 20);
  const expected = { "publish shop.ndjson": 3, tail: 3, status: 4, "dead-letters list": 0 };
  const runs = Object.entries(expected).map(async ([command, expectedCode]) => {
    const { code, output } = await shop.shell(`vitrine ${command}`);
    assert.is(code, expectedCode, output);
  });
  await Promise.all(runs);
  await shop.service().stop();
  await drill.run('mv "$DATA_DIR/journal" ~/journal.damaged\nvitrine restore', shop, {
    env: { BACKUP: join(shop.directory, "backup") },
  });
  await shop.serve();
  await drill.reaches(shop, { state: "live", checkpoint: shopEvents().length });
});

drill.test("without a backup: the shop publishes its full state again", async () => {
  const shop = await drill.install();
  await shop.publish(shopEvents());
  damage(shop);
  await drill.run('mv "$DATA_DIR/journal" ~/journal.damaged\nvitrine publish', shop);
  assert.ok(existsSync(join(shop.directory, "journal.damaged")));
  await shop.serve();
  await drill.reaches(shop, { state: "live", checkpoint: shopEvents().length });
  await mustAnswer(shop.service(), 20);
});

drill.end();
