import { truncateSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { operatorDirectory } from "../../../src/read-model/operator/directory.ts";
import { productUpserted } from "../../helpers/events.ts";
import { drillOf } from "./harness/drill.ts";
import type { Installation } from "./harness/installation.ts";
import { shopEvents } from "./harness/shop.ts";
import { mustAnswer } from "./harness/status.ts";

const drill = drillOf("The operator state is damaged");
const refused = productUpserted({ id: 9, name: 5 as never });
const sequence = shopEvents().length + 1;

const statusOfTools = async (shop: Installation, token: string): Promise<number> => {
  const response = await fetch(`${shop.service().url}/agent/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  await response.text();
  return response.status;
};

const openDeadLetters = async (shop: Installation): Promise<number> =>
  JSON.parse((await shop.shell("vitrine dead-letters list --json")).output).open;

/** A service with a backup and a discarded dead letter, whose operator state is damaged then. */
const withDamagedState = async (): Promise<Installation> => {
  const shop = await drill.install();
  await shop.publish([...shopEvents(), refused]);
  await shop.serveReady();
  await drill.reaches(shop, { state: "live", checkpoint: sequence });
  assert.is((await shop.shell(`vitrine dead-letters discard ${sequence}`)).code, 0);
  assert.is((await shop.shell("vitrine backup backup")).code, 0);
  const { output: token } = await shop.shell("vitrine token issue --label L 2>/dev/null");
  await shop.service().stop();
  truncateSync(join(operatorDirectory(shop.dataDir), "data.mdb"), 6_000);
  await shop.serve(["--max-lag", "2"]);
  await drill.reaches(shop, { state: "silent", reason: "is damaged", unready: "seconds behind" });
  await mustAnswer(shop.service(), 20);
  assert.is(await statusOfTools(shop, token.trim()), 500);
  const status = await shop.shell("vitrine status");
  assert.is(status.code, 3, status.output);
  await shop.service().stop();
  return shop;
};

drill.test("with a backup: its revocations and discards are restored", async () => {
  const shop = await withDamagedState();
  await drill.run('mv "$DATA_DIR/operator" ~/operator.damaged\nvitrine restore', shop, {
    env: { BACKUP: join(shop.directory, "backup") },
  });
  assert.is(await openDeadLetters(shop), 0);
  await shop.serve();
  await drill.reaches(shop, { state: "live", checkpoint: sequence });
});

drill.test("without a backup: the dead letters are open again", async () => {
  const shop = await withDamagedState();
  const secret = await drill.run('mv "$DATA_DIR/operator" ~/operator.damaged\nopenssl', shop, {
    edit: () => "",
  });
  const TOKEN_SECRET = secret.trim();
  assert.ok(TOKEN_SECRET.length >= 32);
  await shop.serve([], { TOKEN_SECRET });
  await drill.reaches(shop, { state: "live", checkpoint: sequence });
  assert.is(await openDeadLetters(shop), 1);
});

drill.end();
