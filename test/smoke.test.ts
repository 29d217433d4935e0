import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { findChromium, startChromium } from "./helpers/chromium.ts";
import { temporaryDirectory } from "./helpers/directory.ts";
import { productUpserted, settingsUpdated } from "./helpers/events.ts";
import { findNats, startNats } from "./helpers/nats.ts";
import { ndjson, run, startVitrine } from "./helpers/vitrine.ts";

/**
 * Tests one path through each part that the other tests of this tier do not start: the program's processes, a broker and
 * a browser. A broker or browser that is not installed is reported in one line and skipped; `npm run test:all` needs both.
 */
const test = suite("smoke");

const events = [settingsUpdated(), productUpserted({ id: 1, name: "Cup" })];

const answersFrom = async (log: readonly string[]): Promise<void> => {
  const dataDir = join(temporaryDirectory().path, "data");
  const args = ["publish", "-", "--data-dir", dataDir, ...log];
  const { code, stderr } = await run(args, { input: ndjson(events) });
  assert.is(code, 0, stderr);
  const service = await startVitrine(log, { dataDir });
  await service.ready();
  const { data } = await service.graphql("{ product(id: 1) { product { name } } }");
  assert.equal(data, { product: { product: { name: "Cup" } } });
  assert.is((await service.stop()).code, 0);
};

test("events published to the journal are served", () => answersFrom([]));

if (findNats() === undefined) {
  console.log("nats-server is not installed: the smoke test of JetStream is left out");
} else {
  test("events that are published into JetStream are served", async () => {
    const nats = await startNats();
    await answersFrom(["--events", nats.url]);
    await nats.remove();
  });
}

if (findChromium() === undefined) {
  console.log("Chromium is not installed: the smoke test of the console is left out");
} else {
  test("the console shows the state in a browser", async () => {
    const service = await startVitrine();
    const browser = await startChromium();
    const page = await browser.newPage();
    await page.goto(service.opsUrl);
    await page.getByText("the event log is empty").first().waitFor();
    await browser.close();
    await service.stop();
  });
}

test.run();
