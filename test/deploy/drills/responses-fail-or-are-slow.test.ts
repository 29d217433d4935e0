import { truncateSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { operatorDirectory } from "../../../src/read-model/operator/directory.ts";
import { drillOf } from "./harness/drill.ts";
import { shopEvents } from "./harness/shop.ts";

const drill = drillOf("Responses fail or are slow");

drill.test("responses with status 503 and 500, and the log lines of both", async () => {
  const shop = await drill.install();
  await shop.serve();
  const { url } = shop.service();
  assert.is((await fetch(`${url}/llms.txt`)).status, 503);
  await drill.reaches(shop, { state: "live", unready: "the event log is empty" });
  await drill.run("curl", shop);
  await shop.publish(shopEvents());
  await drill.reaches(shop, { state: "live", checkpoint: shopEvents().length });
  const { output: token } = await shop.shell("vitrine token issue --label L 2>/dev/null");
  await shop.service().stop();
  truncateSync(join(operatorDirectory(shop.dataDir), "data.mdb"), 6_000);
  await shop.serve();
  const { status } = await fetch(`${shop.service().url}/agent/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token.trim()}` },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  assert.is(status, 500);
});

drill.test("more HTTP processes", async () => {
  const shop = await drill.install();
  await shop.publish(shopEvents());
  const serving = await drill.startServe("vitrine serve --workers 4", shop);
  await serving.finish();
});

drill.end();
