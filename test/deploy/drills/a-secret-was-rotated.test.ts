import * as assert from "uvu/assert";
import { productBody } from "../../connectors/shopify/bodies.ts";
import { secret } from "../../helpers/gateway.ts";
import { drillOf } from "./harness/drill.ts";
import { installWithGateway, nextSecret, writeConnections } from "./harness/gateway.ts";

const drill = drillOf("A secret was rotated");

drill.test(
  "deliveries with the new secret are refused, until the connection has both",
  async () => {
    const gateway = await installWithGateway(drill);
    const { shop } = gateway;
    const started = await gateway.start();
    assert.is((await gateway.send("products/update", productBody(), nextSecret)).status, 401);
    assert.is((await gateway.ops("/readyz")).status, 200);
    await drill.run("curl -s", shop);
    await started.stop();
    writeConnections(shop, { secret: readList() });
    const restarted = await gateway.start();
    for (const key of [secret, nextSecret])
      assert.is((await gateway.send("products/update", productBody(), key)).status, 200);
    await restarted.stop();
  },
);

/** Reads the list of secrets that the section shows. */
const readList = (): unknown => {
  const [, list = ""] = /^```conf\n"secret": (\[[^\]]*\])\n```$/m.exec(drill.section.text) ?? [];
  return JSON.parse(list);
};

drill.end();
