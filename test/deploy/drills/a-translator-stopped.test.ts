import * as assert from "uvu/assert";
import { productBody } from "../../connectors/shopify/bodies.ts";
import { readEvents } from "../../helpers/gateway.ts";
import { until } from "../../helpers/vitrine.ts";
import { withTranslatorBug } from "./harness/bugs.ts";
import { drillOf } from "./harness/drill.ts";
import { installWithGateway } from "./harness/gateway.ts";

const drill = drillOf("A translator stopped");

drill.test("deliveries wait behind the bug, until a version without it runs", async () => {
  const gateway = await installWithGateway(drill);
  const { shop } = gateway;
  await shop.publish([]);
  const started = await gateway.start(withTranslatorBug);
  for (const [id, title] of ["Tee", "bug", "Mug"].entries()) {
    const { status } = await gateway.send("products/update", productBody({ id: id + 1, title }));
    assert.is(status, 200);
  }
  await until(
    () => gateway.ops("/readyz"),
    ({ status }) => status === 503,
  );
  await gateway.ops("/metrics");
  await drill.run("curl -s", shop);
  await drill.run("vitrine deliveries show", shop, { lines: 5 });
  await started.stop();
  drill.observe(started.output());
  const mended = drill.start("vitrine gateway", shop, { lines: 1 });
  await mended.prints(/takes deliveries/);
  await until(
    async () => JSON.stringify(await readEvents(shop.dataDir)),
    (events) => events.includes('"Mug"'),
  );
  assert.match((await gateway.ops("/readyz")).text, '"ready":true');
  await drill.run("vitrine deliveries retry", shop);
  await mended.finish();
});

drill.end();
