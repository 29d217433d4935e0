import * as assert from "uvu/assert";
import { productUpserted, stockChanged } from "../../helpers/events.ts";
import { withBug } from "./harness/bugs.ts";
import { drillOf } from "./harness/drill.ts";
import { shopEvents } from "./harness/shop.ts";
import { mustAnswer } from "./harness/status.ts";

const drill = drillOf("A bug in a projection");
const last = shopEvents().length;

drill.test(
  "the projector stops before the event, until a version without the bug runs",
  async () => {
    const shop = await drill.install();
    await shop.publish(shopEvents());
    await shop.serveReady([], withBug);
    assert.is((await shop.shell("vitrine rebuild")).code, 0);
    const bug = { id: "bug", time: "2026-11-20T10:00:00Z", source: "/shops/main" };
    await shop.publish([
      productUpserted({ id: 4711, name: "Rain jacket 4711" }, bug),
      stockChanged({ productId: 4711, quantity: 11 }, { ...bug, id: "stock-4711-2" }),
    ]);
    await drill.reaches(shop, {
      state: "faulted",
      reason: `failed at sequence ${last + 1}`,
      unready: `failed at sequence ${last + 1}`,
      checkpoint: last,
    });
    await mustAnswer(shop.service(), 20);
    const tailing = drill.start("vitrine tail", shop, { lines: 1 });
    await tailing.prints(/stock\.changed/);
    await tailing.finish();
    await drill.run("vitrine rollback", shop);
    await shop.service().stop();
    await shop.serve();
    await drill.reaches(shop, { state: "live", checkpoint: last + 2 });
    await drill.run("vitrine verify", shop);
    await drill.run("vitrine explain", shop, { lines: 17 });
  },
);

drill.test("a bug in the derived rows", async () => {
  const shop = await drill.install();
  await shop.publish(shopEvents());
  await shop.serveReady([], withBug);
  await shop.publish([productUpserted({ id: 666 })]);
  await drill.reaches(shop, {
    state: "faulted",
    reason: "deriving tables failed for events",
    unready: "deriving tables failed for events",
  });
});

drill.end();
