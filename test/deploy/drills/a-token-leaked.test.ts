import * as assert from "uvu/assert";
import { until } from "../../helpers/vitrine.ts";
import { drillOf } from "./harness/drill.ts";
import type { Installation } from "./harness/installation.ts";
import { shopEvents } from "./harness/shop.ts";

const drill = drillOf("A token leaked");

/** Waits until a call of the tools with a token has a status. */
const reachesStatus = async (
  shop: Installation,
  token: string,
  expected: number,
): Promise<void> => {
  await until(
    async () => {
      const response = await fetch(`${shop.service().url}/agent/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token.trim()}` },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      });
      await response.text();
      return response.status;
    },
    (status) => status === expected,
    20,
  );
};

const issue = async (shop: Installation): Promise<string> =>
  (await shop.shell("vitrine token issue --label L 2>/dev/null")).output;

drill.test("one token, and then the secret, leaked", async () => {
  const shop = await drill.install();
  await shop.publish(shopEvents());
  await shop.serveReady();
  const token = await issue(shop);
  await reachesStatus(shop, token, 200);
  const printed = await drill.run("vitrine token regenerate", shop);
  const next = printed.split("\n").find((line) => line.startsWith("vit_")) ?? "";
  await reachesStatus(shop, token, 401);
  await reachesStatus(shop, next, 200);
  await shop.service().stop();
  await drill.run("rm", shop);
  await shop.serveReady();
  await reachesStatus(shop, next, 401);
  await reachesStatus(shop, await issue(shop), 200);
});

drill.test("a log that the service does not follow is refused", async () => {
  const shop = await drill.install();
  await shop.publish(shopEvents());
  await shop.serveReady();
  await shop.service().stop();
  const commands =
    'mv "$DATA_DIR/journal" ~/journal\nvitrine publish shop.ndjson >/dev/null\nvitrine token regenerate --label L';
  const { code, output } = await shop.shell(commands);
  assert.is(code, 5, output);
});

drill.end();
