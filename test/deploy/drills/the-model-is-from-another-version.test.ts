import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { openDataDirectory } from "../../../src/read-model/generations/data-directory.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import { openStore } from "../../../src/read-model/store/store.ts";
import { startProxy } from "../../helpers/tcp-proxy.ts";
import { asOperator, serveFromBroker } from "./harness/broker.ts";
import { drillOf } from "./harness/drill.ts";
import type { Installation } from "./harness/installation.ts";
import { productIds, renamed } from "./harness/shop.ts";
import { mustAnswer } from "./harness/status.ts";
import { firstLineOf } from "./harness/watching.ts";

const drill = drillOf("The model is from another version");

/** Marks the live model as written by another version of a projection. */
const markOutdated = async ({ dataDir }: Installation): Promise<void> => {
  const store = openStore(openDataDirectory(dataDir).live() ?? "", { readOnly: false });
  store.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    assert.ok(checkpoint);
    const projections = checkpoint.projections.replace(/product\.\d+/, "product.0");
    stored.put(tables.meta, "checkpoint", { ...checkpoint, projections });
  });
  await store.close();
};

drill.test("the service rebuilds the model, and the old one answers meanwhile", async () => {
  const { broker, shop } = await serveFromBroker(drill);
  const proxy = await startProxy(broker.port);
  drill.atEnd(proxy.close);
  await shop.service().stop();
  await shop.publish(Array.from({ length: 50 }, (_, at) => renamed(productIds, `${at}`)).flat());
  await markOutdated(shop);
  proxy.slow(200_000);
  await shop.serve(["--events", `nats://127.0.0.1:${proxy.port}`]);
  await drill.reaches(shop, {
    state: "rebuilding",
    reason: "the projections changed since the model was made",
    unready: null,
  });
  await mustAnswer(shop.service(), 20);
  const watching = drill.start("vitrine status --watch", shop, {
    edit: firstLineOf("rebuilding", "live"),
  });
  await watching.prints(/rebuilding/);
  proxy.heal();
  await watching.prints(/Z +live/);
  await watching.finish();
});

drill.test("the service does not rebuild from a log without its beginning", async () => {
  const { broker, shop } = await serveFromBroker(drill);
  await shop.service().stop();
  await asOperator(broker, ({ streams }) => streams.purge("SHOP", { keep: 5 }));
  await markOutdated(shop);
  await shop.serve();
  await drill.reaches(shop, {
    state: "faulted",
    reason: "the projections changed since the model was made",
    unready: "no longer holds",
  });
  await mustAnswer(shop.service(), 20);
});

drill.test("a data directory of another layout is refused", async () => {
  const { shop } = await serveFromBroker(drill);
  await shop.service().stop();
  const marker = { product: "vitrine", layout: 99 };
  writeFileSync(join(shop.dataDir, "vitrine.json"), JSON.stringify(marker));
  const { code, output } = await shop.shell("vitrine serve");
  assert.is(code, 3, output);
  const serving = await drill.startServe("vitrine serve --data-dir", shop);
  await serving.finish();
});

drill.end();
