import * as assert from "uvu/assert";
import {
  categoryUpserted,
  productDeleted,
  productUpserted,
  stockChanged,
} from "../../helpers/events.ts";
import { drillOf } from "./harness/drill.ts";
import { productIds, shopEvents } from "./harness/shop.ts";
import { answersAgain, metricOf, mustAnswer, reachesMetric } from "./harness/status.ts";

const drill = drillOf("The shop's data looks wrong");
const about = (id: string, time: string) => ({ id, time, source: "/shops/main" });
const later = "2026-11-20T10:00:00Z";

/** Stock without a product, a category below an unknown one, a late event, and five deleted products. */
const wrongEvents = () => [
  stockChanged({ productId: 4800, quantity: 3 }, about("stock-4800-1", later)),
  categoryUpserted({ id: 12, name: "Jackets", parentId: 11 }, about("category-12-2", later)),
  productUpserted(
    { id: 4711, name: "An old name" },
    about("product-4711-0", "2026-11-19T09:00:00Z"),
  ),
  ...productIds.slice(-5).map((id) => productDeleted(id, about(`product-${id}-2`, later))),
];

drill.test("the commands show what the shop published, and correct it", async () => {
  const shop = await drill.install();
  await shop.publish(shopEvents());
  await shop.serveReady();
  assert.is((await shop.shell("vitrine rebuild")).code, 0);
  await shop.publish(wrongEvents());
  const last = shopEvents().length + wrongEvents().length;
  await drill.reaches(shop, { state: "live", checkpoint: last });
  await mustAnswer(shop.service(), 15);
  const tailing = drill.start("vitrine tail", shop, { lines: 2, last: 2 });
  await tailing.prints(new RegExp(`^ +${last} `, "m"));
  await tailing.finish();
  const { service } = shop;
  for (const name of ["orphans", "categories_held_back", "stale_events"]) {
    await reachesMetric(service(), `vitrine_${name}`, 1);
  }
  assert.is(await metricOf(service(), "vitrine_products"), 15);
  await drill.run("vitrine explain product/4711", shop, { lines: 17 });
  await drill.run("vitrine explain category/12", shop);
  shop.write("shop.ndjson", shopEvents("11"));
  await drill.run("vitrine reconcile shop.ndjson\n", shop, { code: 1, lines: 8, last: 1 });
  await drill.run("vitrine reconcile shop.ndjson --publish", shop, { lines: 2, last: 1 });
  await answersAgain(service(), 20);
  await drill.run("vitrine rollback", shop);
});

drill.end();
