import * as assert from "uvu/assert";
import type { CloudEvent } from "../../../src/events/envelope.ts";
import { productUpserted } from "../../helpers/events.ts";
import { drillOf } from "./harness/drill.ts";
import { shopEvents } from "./harness/shop.ts";
import { mustAnswer, reachesMetric } from "./harness/status.ts";

const drill = drillOf("Events are refused");

/** A product whose name is a number. */
const refused = (id: number): CloudEvent =>
  productUpserted(
    { id, name: 5 as never },
    { id: `product-${id}-1`, time: "2026-11-20T10:00:00Z", source: "/shops/main" },
  );

drill.test("refused events are kept, and corrected, retried or discarded", async () => {
  const shop = await drill.install();
  const last = shopEvents().length;
  await shop.publish(shopEvents());
  await shop.serveReady();
  await shop.publish([refused(4721), refused(4722)]);
  await drill.reaches(shop, { state: "live", checkpoint: last + 2 });
  await reachesMetric(shop.service(), "vitrine_events_rejected_total", 2);
  await mustAnswer(shop.service(), 20);
  const { output } = await shop.shell("vitrine status");
  assert.match(output, "2 dead letters");
  drill.observe(output);
  await drill.run("vitrine dead-letters list", shop);
  shop.write("shop.ndjson", [...shopEvents(), refused(4721)]);
  await drill.run("vitrine lint", shop, { code: 1 });
  await shop.publish([productUpserted({ id: 4721 })]);
  await drill.reaches(shop, { state: "live", checkpoint: last + 3 });
  await mustAnswer(shop.service(), 21);
  await drill.run("vitrine dead-letters retry", shop, { code: 1 });
  await drill.run("vitrine dead-letters discard", shop);
});

drill.end();
