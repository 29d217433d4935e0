import { existsSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openEventLog, redactAddress } from "../../src/event-log/open.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/directory.ts";
import { startNats } from "../helpers/nats.ts";
import { messages } from "./messages.ts";
import { rejects } from "./rejects.ts";

const opening = suite<{ directory: TemporaryDirectory; dataDir: string }>("opening an event log");

opening.before.each((context) => {
  context.directory = temporaryDirectory();
  context.dataDir = context.directory.path;
});
opening.after.each(({ directory }) => directory.remove());

const now = Date.now;

opening("an address is shown without its passwords", () => {
  for (const events of [
    "nats://u:p1@a:4222, nats://u:p2@b:4222",
    "nats://u:p1@a:4222, u:p2@b:4222",
  ]) {
    assert.is(redactAddress(events), "nats://a:4222,nats://b:4222");
  }
  assert.is(redactAddress("journal:/some/where@home"), "journal:/some/where@home");
});

opening("journal: is the journal inside the data directory", async ({ dataDir }) => {
  const log = await openEventLog("journal:", { dataDir, now });
  assert.is(log.address, `journal ${join(dataDir, "journal")}`);
  assert.ok(existsSync(join(dataDir, "journal", "data.mdb")));
  await log.close();
});

opening("journal:/some/dir is the journal in that directory", async ({ dataDir }) => {
  const elsewhere = join(dataDir, "some", "dir");
  const log = await openEventLog(`journal:${elsewhere}`, { dataDir: "/nowhere", now });
  await log.append(messages(1, 1));
  await log.close();
  const again = await openEventLog(`journal:${elsewhere}`, { dataDir, now, readOnly: true });
  assert.is((await again.bounds()).last, 1);
  await again.close();
});

opening("nats:// is the stream SHOP on that broker, or the one named", async ({ dataDir }) => {
  const server = await startNats();
  await rejects(
    () => openEventLog(server.url, { dataDir, now, readOnly: true }),
    "event_log",
    /SHOP/,
  );
  const log = await openEventLog(server.url, { dataDir, now });
  assert.is(log.address, `${server.url} stream SHOP`);
  assert.is((await log.identity()).name, "SHOP");
  await log.close();
  const other = openEventLog(server.url, { dataDir, now, readOnly: true, stream: "OTHER" });
  await rejects(() => other, "event_log", /OTHER/);
  await server.remove();
});

opening("any other address is rejected with the valid forms", async ({ dataDir }) => {
  for (const address of ["", "kafka://there", "journal", "data/journal", "http://127.0.0.1:4222"]) {
    const refused = await rejects(() => openEventLog(address, { dataDir, now }), "usage");
    assert.match(refused.hint, /journal:.*nats:\/\/.*tls:\/\//);
  }
});

opening.run();
