import { existsSync, truncateSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { childrenOf } from "../../helpers/vitrine.ts";
import { drillOf } from "./harness/drill.ts";
import type { Installation } from "./harness/installation.ts";
import { shopEvents } from "./harness/shop.ts";
import { mustAnswer } from "./harness/status.ts";

const drill = drillOf("The journal is damaged");

const damage = ({ dataDir }: Installation): void =>
  truncateSync(join(dataDir, "journal", "data.mdb"), 20_000);

/** Ends the projector, because it does not read the damaged parts of the journal before another start. */
const endProjector = async (shop: Installation): Promise<void> => {
  const pid = (await childrenOf(shop.service().child.pid ?? 0)).get("vitrine projector") ?? 0;
  process.kill(pid, "SIGKILL");
};

drill.test("with a backup: the journal is restored", async () => {
  const shop = await drill.install();
  await shop.publish(shopEvents());
  await shop.serveReady();
  assert.is((await shop.shell("vitrine backup backup")).code, 0);
  damage(shop);
  await endProjector(shop);
  const reason = "is damaged";
  await drill.reaches(shop, { state: "silent", reason, unready: reason });
  await mustAnswer(shop.service(), 20);
  for (const [command, expected] of [
    ["publish shop.ndjson", 3],
    ["tail", 3],
    ["status", 4],
    ["dead-letters list", 0],
  ] as const) {
    const { code, output } = await shop.shell(`vitrine ${command}`);
    assert.is(code, expected, output);
    drill.observe(output);
  }
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
