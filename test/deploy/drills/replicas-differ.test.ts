import { cpSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { asOperator, serveFromBroker } from "./harness/broker.ts";
import { drillOf } from "./harness/drill.ts";
import type { Installation } from "./harness/installation.ts";
import { productIds, shopEvents } from "./harness/shop.ts";
import { metricOf, mustAnswer } from "./harness/status.ts";

const drill = drillOf("Replicas differ");

/** Events before the last products. */
const trimmed = 12;

drill.test(
  "a replica that was built from a trimmed stream gets the model of a complete one",
  async () => {
    const { broker, shop: complete } = await serveFromBroker(drill);
    await asOperator(broker, ({ streams }) => streams.purge("SHOP", { seq: trimmed }));
    const incomplete = await drill.install({ events: broker.url });
    await incomplete.serveReady();
    const missing = async () => await metricOf(incomplete.service(), "vitrine_products");
    assert.ok(((await missing()) ?? 0) < productIds.length);
    await drill.run("vitrine status", incomplete);
    const backupOf = ({ directory }: Installation) => ({ BACKUP: join(directory, "backup") });
    await drill.run("vitrine backup", complete, { env: backupOf(complete) });
    cpSync(backupOf(complete).BACKUP, backupOf(incomplete).BACKUP, { recursive: true });
    await incomplete.service().stop();
    await drill.run('rm -r "$DATA_DIR"', incomplete, { env: backupOf(incomplete) });
    await incomplete.serve();
    await drill.reaches(incomplete, { state: "live", checkpoint: shopEvents().length });
    await mustAnswer(incomplete.service(), productIds.length);
  },
);

drill.end();
