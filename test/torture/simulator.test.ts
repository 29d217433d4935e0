import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { type Digest, openStore } from "../../src/read-model/store/store.ts";
import type { Chance } from "../bench/seeded.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { carrierUpserted, type ExampleRecord, productUpserted } from "../helpers/events.ts";
import { history } from "../helpers/histories.ts";
import { openModel } from "../helpers/model.ts";
import { startProjector } from "../helpers/projector.ts";
import { until } from "../helpers/vitrine.ts";
import { amount, chanceOf, seed, tellDone } from "./effort.ts";
import { type History, type SimulatedLog, simulateLog } from "./simulated-log.ts";

/**
 * The projector on a log that misbehaves by a seed: while it does, the live model is always one that some history of
 * the log gives; once it behaves, the model comes to be what the log gives.
 */
const test = suite("simulated logs");
const seeds = amount(60);
const width = 12;
process.setMaxListeners(100);

/** What one history gives after so many of its events. */
const foldOf = async ({ records }: History, count: number): Promise<Digest> => {
  const model = openModel();
  model.deliver(records.slice(0, count) as readonly ExampleRecord[]);
  const digest = model.digest();
  await model.close();
  return digest;
};

/** The live model is the fold of a history of its own log, up to its checkpoint: nothing of two, nothing left out. */
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
  (log, next) => log.tell(...next()),
  (log, next) => log.tell(...next()),
  (log) => log.cut(),
  (log) => log.heal(),
  (log, next, { below }) => log.rollBack(below(6), ...next()),
  (log, next, { below }) => log.rollBack(below(20), ...next(), ...next()),
  (log, next) => log.recreate(...next(), ...next(), ...next()),
];

/** All products there can be, so that no rebuild is taken for a loss. */
const wholeShop = [1, 2, 3, 4].map((id) =>
  productUpserted({ id }, { time: "2026-12-01T00:00:00Z" }),
);

/** @returns what every history of the log told of, and when: the same for the same turn */
const simulate = async (turn: number): Promise<readonly string[]> => {
  // The log has choices of its own: how often it is asked depends on time, and these are to be the same each time.
  const chance = chanceOf("simulator", turn);
  const log = simulateLog(turn);
  const life = fc.sample(history, { seed: seed + turn, numRuns: 8 }).flat();
  let told = 0;
  const next = () => {
    const from = told;
    told += 1 + chance.below(9);
    return life.slice(from, told);
  };
  const home = temporaryDirectory();
  const start = () => startProjector(home.path, log, { continuityIntervalMs: 15 });
  log.tell(...wholeShop, ...next());
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
  log.tell(...wholeShop);
  const last = log.histories.at(-1) as History;
  const wanted = JSON.stringify(await foldOf(last, last.records.length));
  // Its status may still tell of the history before.
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
 * Seeds of logs that once came out wrong: each is simulated again, as number 0. They did while the log drew from the
 * choices of the steps, and are other logs since it has its own.
 */
const known = [20_109, 33_021_219, 36_021_126, 37_021_135, 38_021_254];

test("a seed makes the same histories, whatever goes on beside", async () => {
  const turns = [0, 1, 2, 3, 4, 5];
  const beside = await Promise.all(turns.map(simulate));
  for (const turn of turns.slice(0, 2)) assert.equal(await simulate(turn), beside[turn]);
});

test("logs that once came to another end, or to none", async () => {
  await Promise.all(known.map((each) => simulate(each - seed)));
});

test("a log that became another of the same length, while a rebuild of what it was waits, is rebuilt from", async () => {
  const log = simulateLog(0);
  const home = temporaryDirectory();
  log.behave();
  log.tell(...wholeShop, carrierUpserted());
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
  log.rollBack(6, ...wholeShop, ...[8, 9].map((id) => carrierUpserted({ id })));
  await states("live");
  const last = log.histories.at(-1) as History;
  assert.equal(await projector.digest(), await foldOf(last, last.records.length));
  await projector.stop();
  home.remove();
});

test(`${seeds} logs that misbehave: no model is of two histories, and each comes to what its log gives once that behaves`, async () => {
  const turns = Array.from({ length: seeds }, (_, turn) => turn).reverse();
  let done = 0;
  const work = async (): Promise<void> => {
    for (let turn = turns.pop(); turn !== undefined; turn = turns.pop()) {
      const which = turn;
      await simulate(which).catch((error: Error) => {
        throw new Error(`simulation ${which} of seed ${seed}: ${error.message}`);
      });
      done += 1;
      tellDone(done);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
});

test.run();
