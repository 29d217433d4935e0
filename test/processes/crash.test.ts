import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../src/event-log/journal.ts";
import type { EventLog } from "../../src/event-log/log.ts";
import { openEventLog } from "../../src/event-log/open.ts";
import { openDataDirectory } from "../../src/read-model/generation.ts";
import { openStore } from "../../src/read-model/store.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { shopAtWork } from "../helpers/life.ts";
import { startNats } from "../helpers/nats.ts";
import { append, isLiveAt, startProjector } from "../helpers/projector.ts";
import { start, stop, until } from "../helpers/vitrine.ts";

const test = suite("crash");
const events = 24_000;
const kills = 12;

/** When to kill, in milliseconds after the projector was seen at work. */
const moments = fc.sample(fc.integer({ min: 0, max: 60 }), { numRuns: kills, seed: 20 });

const projectorOf = (dataDir: string, eventsAt: string) =>
  start(["project", "--data-dir", dataDir, "--events", eventsAt, "--ops-port", "0"]);

const sequenceOf = async (dataDir: string): Promise<number> => {
  const newest = openDataDirectory(dataDir).generations().at(-1);
  if (newest === undefined) return 0;
  const store = openStore(newest, { readOnly: true });
  const sequence = store.get({ name: "meta", kind: "json" }, "checkpoint") as
    | { readonly sequence: number }
    | undefined;
  await store.close();
  return sequence?.sequence ?? 0;
};

/** Kills the projector again and again while events are published, lets the last one finish, and compares. */
const survives = async (log: EventLog, eventsAt: string): Promise<void> => {
  const home = temporaryDirectory();
  const dataDir = join(home.path, "data");
  const life = [...shopAtWork(300, events)];
  const share = Math.ceil(events / kills);
  const checkpoints: number[] = [];
  let midway = 0;
  for (const [turn, moment] of moments.entries()) {
    await append(log, ...life.slice(turn * share, (turn + 1) * share));
    const projector = projectorOf(dataDir, eventsAt);
    const before = checkpoints.at(-1) ?? 0;
    const ended = projector.ended.then(({ stderr }) => {
      throw new Error(`the projector ended by itself: ${stderr}`);
    });
    const atWork = until(
      () => sequenceOf(dataDir),
      (sequence) => sequence > before,
      60,
    );
    await Promise.race([atWork, ended]);
    ended.catch(() => undefined);
    await delay(moment);
    projector.child.kill("SIGKILL");
    await projector.ended;
    checkpoints.push(await sequenceOf(dataDir));
    if ((checkpoints.at(-1) ?? 0) < (turn + 1) * share) midway += 1;
  }
  assert.ok(midway > 0, "no kill met the projector at work");
  assert.equal(
    checkpoints,
    [...checkpoints].sort((a, b) => a - b),
    "a checkpoint went back",
  );
  const last = projectorOf(dataDir, eventsAt);
  await until(
    () => sequenceOf(dataDir),
    (sequence) => sequence === events,
    60,
  );
  await stop(last);
  const crashed = openStore(openDataDirectory(dataDir).live() ?? "", { readOnly: true });
  const clean = startProjector(join(home.path, "clean"), log);
  await clean.until(isLiveAt(events));
  assert.equal(crashed.digest(), await clean.digest());
  await clean.stop();
  await crashed.close();
  home.remove();
};

test("a projector on the journal, killed -9 at any moment, ends in the bytes of a clean replay", async () => {
  const home = temporaryDirectory();
  const directory = join(home.path, "journal");
  const log = openJournal({ directory, now: Date.now });
  await survives(log, `journal:${directory}`);
  await log.close();
  home.remove();
});

test("a projector on NATS, killed -9 at any moment, ends in the bytes of a clean replay", async () => {
  const nats = await startNats();
  const log = await openEventLog(nats.url, { dataDir: "", now: Date.now });
  await survives(log, nats.url);
  await log.close();
  await nats.stop();
});

test.run();
