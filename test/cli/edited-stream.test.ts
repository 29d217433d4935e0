/** Commands without a running service, on a stream whose broker reports another creation time. */
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openEventLog } from "../../src/event-log/open.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted, settingsUpdated, tokenRegenerated } from "../helpers/events.ts";
import { editBetweenStarts, type NatsServer, startNats } from "../helpers/nats.ts";
import { append, isLiveAt, startProjector } from "../helpers/projector.ts";
import { runHere } from "../helpers/run-here.ts";
import { ndjson } from "../helpers/vitrine.ts";

interface EditedStreamContext {
  readonly home: TemporaryDirectory;
  readonly nats: NatsServer;
}

const test = suite<EditedStreamContext>("commands on an edited stream");

test.before.each(async (context) => {
  Object.assign(context, { home: temporaryDirectory(), nats: await startNats() });
});
test.after.each(async ({ home, nats }) => {
  await nats.remove();
  home.remove();
});

const snapshot = [settingsUpdated(), productUpserted({ id: 1 }), productUpserted({ id: 3 })];

test("every command accepts the edited stream as the log of the model", async ({ home, nats }) => {
  const dataDir = join(home.path, "data");
  const log = await openEventLog(nats.url, { dataDir, now: Date.now });
  const refused = productUpserted({ id: 7, name: 5 as never });
  await append(log, ...snapshot, refused, tokenRegenerated("price-watcher", 1));
  const projector = startProjector(dataDir, log);
  await projector.until(isLiveAt(5));
  await projector.stop();
  await log.close();
  await editBetweenStarts(nats);
  const env = { DATA_DIR: dataDir, EVENTS: nats.url, TOKEN_SECRET: "a secret of sixteen or more" };
  const done = async (args: readonly string[], input = ""): Promise<string> => {
    const { code, stdout, stderr } = await runHere(args, { env, input });
    assert.is(code, 0, `${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const { divergence } = JSON.parse(await done(["status", "--json"])).log;
  assert.is(divergence, null);
  await done(["verify"]);
  await done(["backup", join(home.path, "backup")]);
  await done(["restore", join(home.path, "backup")]);
  // The event is rejected again, as the exit code says.
  const retried = await runHere(["dead-letters", "retry", "--all"], { env });
  assert.not.match(retried.stderr, "nothing can be retried");
  assert.not.match(retried.stderr, "another log");
  await done(["reconcile", "-", "--publish"], ndjson(snapshot));
  const token = await done(["token", "regenerate", "--label", "price-watcher", "--json"]);
  assert.is(JSON.parse(token).generation, 2);
  await done(["rebuild"]);
});

test.run();
