import { truncateSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { openDataDirectory } from "../../../src/read-model/generations/data-directory.ts";
import { serveFromBroker } from "./harness/broker.ts";
import { drillOf } from "./harness/drill.ts";
import type { Installation } from "./harness/installation.ts";
import { shopEvents } from "./harness/shop.ts";
import { answersAgain, metricOf, mustAnswer } from "./harness/status.ts";

const drill = drillOf("A generation is damaged");

const damage = ({ dataDir }: Installation): void => {
  const live = openDataDirectory(dataDir).live() ?? "";
  truncateSync(join(live, "data.mdb"), 20_000);
};

drill.test("the only generation is damaged while the broker is away", async () => {
  const { broker, shop } = await serveFromBroker(drill);
  await shop.service().stop();
  await broker.stop();
  damage(shop);
  await shop.serve();
  const reason = "was damaged and is in quarantine";
  await drill.reaches(shop, { state: "waiting", unready: reason });
  assert.is(await metricOf(shop.service(), "vitrine_quarantined_generations"), 1);
  const page = await fetch(`${shop.service().url}/llms.txt`);
  assert.is(page.status, 503);
  assert.ok(Number(page.headers.get("retry-after")) > 0);
  await broker.start();
  await drill.reaches(shop, { state: "live", checkpoint: shopEvents().length });
  await mustAnswer(shop.service(), 20);
  await drill.run("rm -r", shop);
});

drill.test("a generation is damaged while it is read, and the previous one answers", async () => {
  const { shop } = await serveFromBroker(drill);
  assert.is((await shop.shell("vitrine rebuild")).code, 0);
  damage(shop);
  await shop
    .service()
    .graphql('{ products(query: "jacket") { totalCount } }')
    .catch(() => undefined);
  await drill.reaches(shop, { state: "live", checkpoint: shopEvents().length });
  await answersAgain(shop.service(), 20);
  drill.observe(shop.service().stderr());
  assert.match(shop.service().stderr(), "SIGBUS");
});

drill.end();
