import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { type Digest, openStore } from "../../src/read-model/store/store.ts";
import type { Chance } from "../bench/seeded.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { amount, chanceOf, reportDone, seed } from "../helpers/effort.ts";
import { carrierUpserted, type ExampleRecord, productUpserted } from "../helpers/events.ts";
import { history } from "../helpers/histories.ts";
import { openModel } from "../helpers/model.ts";
import { startProjector } from "../helpers/projector.ts";
import { type History, type SimulatedLog, simulateLog } from "../helpers/simulated-log.ts";
import { until } from "../helpers/vitrine.ts";

/**
 * The projector on a log that misbehaves by a seed: meanwhile the live model always equals a prefix of one
 * history; afterwards it equals the log.
 */
const test = suite("simulated logs");
const seeds = amount(60);
const width = 12;
process.setMaxListeners(100);

/** Digest of the first events of a history. */
const foldOf = async ({ records }: History, count: number): Promise<Digest> => {
  const model = openModel();
  model.deliver(records.slice(0, count) as readonly ExampleRecord[]);
  const digest = model.digest();
  await model.close();
  return digest;
};

/** Checks that the live model equals its own history up to its checkpoint. */
const isOfOneHistory = async (log: SimulatedLog, live: string | undefined): Promise<void> => {
  if (live === undefined) return;
  const store = openStore(live, { readOnly: true });
  const checkpoint = store.get(tables.meta, "checkpoint");
  const digest = JSON.stringify(store.digest());
  await store.close();
  if (checkpoint === undefined) return;
  const { sequence, identity } = checkpoint;
  const possible = log.histories.filter(
    ({ created, records }) => created === identity.created && records.length >= sequence,
  );
  for (const each of possible) {
    if (JSON.stringify(await foldOf(each, sequence)) === digest) return;
  }
  throw new Error(`at ${sequence} the model is that of no history`);
};

type Step = (log: SimulatedLog, next: () => readonly CloudEvent[], chance: Chance) => void;

const steps: readonly Step[] = [
  (log, next) => log.appendEvents(...next()),
  (log, next) => log.appendEvents(...next()),
  (log) => log.cut(),
  (log) => log.heal(),
  (log, next, { below }) => log.rollBack(below(6), ...next()),
  (log, next, { below }) => log.rollBack(below(20), ...next(), ...next()),
  (log, next) => log.recreate(...next(), ...next(), ...next()),
];

/** All possible products, so that no rebuild counts as a loss. */
const fullShop = [1, 2, 3, 4].map((id) =>
  productUpserted({ id }, { time: "2026-12-01T00:00:00Z" }),
);

/** @returns all histories of the log: the same for the same turn */
const simulate = async (turn: number): Promise<readonly string[]> => {
  // The log has choices of its own, because the number of its calls depends on time.
  const chance = chanceOf("simulator", turn);
  const log = simulateLog(turn);
  const life = fc.sample(history, { seed: seed + turn, numRuns: 8 }).flat();
  let published = 0;
  const next = () => {
    const from = published;
    published += 1 + chance.below(9);
    return life.slice(from, published);
  };
  const home = temporaryDirectory();
  const start = () => startProjector(home.path, log, { continuityIntervalMs: 15 });
  log.appendEvents(...fullShop, ...next());
  let projector = start();
  await projector.opened;
  for (let left = 4 + chance.below(8); left > 0; left -= 1) {
    chance.pick(steps)(log, next, chance);
    await delay(chance.below(chance.below(5) === 0 ? 500 : 25));
    if (chance.below(4) === 0) {
      await projector.stop();
      projector = start();
      await projector.opened;
    }
    await isOfOneHistory(log, projector.directory.live());
  }
  log.behave();
  log.appendEvents(...fullShop);
  const last = log.histories.at(-1) as History;
  const wanted = JSON.stringify(await foldOf(last, last.records.length));
  // The status may still describe the history before.
  await until(
    async () => JSON.stringify(await projector.digest()) === wanted || projector.status(),
    (answer) => answer === true,
    60,
  );
  await projector.stop();
  home.remove();
  return log.histories.map(({ created, records }) =>
    [created, ...records.map(({ subject, time }) => `${subject} ${time}`)].join("\n"),
  );
};

/**
 * Seeds of logs that once failed: each is simulated again, as number 0. They failed while the log shared the
 * choices of the steps, and are other logs since it has its own.
 */
const earlierFailures = [20_109, 33_021_219, 36_021_126, 37_021_135, 38_021_254];

test("a seed gives the same histories, whatever runs concurrently", async () => {
  const turns = [0, 1, 2, 3, 4, 5];
  const concurrent = await Promise.all(turns.map(simulate));
  for (const turn of turns.slice(0, 2)) assert.equal(await simulate(turn), concurrent[turn]);
});

test("logs that once gave a wrong result, or none, give the right one", async () => {
  await Promise.all(earlierFailures.map((each) => simulate(each - seed)));
});

test("a log replaced by one of the same length during a waiting rebuild is rebuilt from", async () => {
  const log = simulateLog(0);
  const home = temporaryDirectory();
  log.behave();
  log.appendEvents(...fullShop, carrierUpserted());
  const projector = startProjector(home.path, log, { continuityIntervalMs: 15 });
  const states = async (state: string): Promise<void> => {
    await until(
      () => Promise.resolve(projector.status()),
      (status) => status.state === state,
      20,
    );
  };
  await states("live");
  log.rollBack(4, ...[2, 3, 4, 5, 6, 7].map((id) => carrierUpserted({ id })));
  await states("faulted");
  log.rollBack(6, ...fullShop, ...[8, 9].map((id) => carrierUpserted({ id })));
  await states("live");
  const last = log.histories.at(-1) as History;
  assert.equal(await projector.digest(), await foldOf(last, last.records.length));
  await projector.stop();
  home.remove();
});

test(`${seeds} misbehaving logs: no model mixes two histories, and each finally equals its log`, async () => {
  const turns = Array.from({ length: seeds }, (_, turn) => turn).reverse();
  let done = 0;
  const work = async (): Promise<void> => {
    for (let turn = turns.pop(); turn !== undefined; turn = turns.pop()) {
      const which = turn;
      await simulate(which).catch((error: Error) => {
        throw new Error(`simulation ${which} of seed ${seed}: ${error.message}`);
      });
      done += 1;
      reportDone(done);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
});

test.run();
