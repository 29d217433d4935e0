import { chmodSync, statSync } from "node:fs";
import { dirname } from "node:path";
import * as assert from "uvu/assert";
import { until } from "../../helpers/vitrine.ts";
import { drillOf } from "./harness/drill.ts";
import { shopEvents } from "./harness/shop.ts";

const drill = drillOf("A command as another user");

/** Runs a command as the user of the service, as systemd-run does. */
const asUser = "setpriv --reuid=nobody --regid=nogroup --clear-groups --";

drill.test("root is refused, and the user of the service is not", async () => {
  const shop = await drill.install();
  await shop.publish(shopEvents());
  await shop.serveReady();
  await shop.service().stop();
  const above = dirname(shop.directory);
  chmodSync(above, statSync(above).mode | 0o011);
  const owned = await shop.shell(
    `chown -R nobody: . && chmod 755 . && ${asUser} vitrine --version`,
  );
  assert.is(owned.code, 0, `nobody must be able to read the package: ${owned.output}`);
  const serving = drill.background(`exec ${asUser} vitrine serve`, shop);
  await until(
    () => fetch(`http://127.0.0.1:${shop.env.OPS_PORT}/readyz`),
    ({ status }) => status === 200,
  );
  const refused = await shop.shell("vitrine rebuild");
  assert.is(refused.code, 3, refused.output);
  const rebuilt = await shop.shell(`${asUser} vitrine rebuild`);
  assert.is(rebuilt.code, 0, rebuilt.output);
  const foreign = await shop.shell(
    "setpriv --reuid=daemon --regid=nogroup --clear-groups -- vitrine status",
  );
  assert.is(foreign.code, 3, foreign.output);
  drill.observe(refused.output, foreign.output);
  await serving.stop();
});

drill.end();
