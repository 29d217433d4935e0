import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Digest } from "../../src/read-model/store/store.ts";
import { catchUp, journalIn, modelOf, mustMatchManifest, unfinished } from "../helpers/backups.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append } from "../helpers/projector.ts";
import { atStep, outcomes } from "../helpers/steps.ts";
import { run } from "../helpers/vitrine.ts";
import { amount, isLong, tellDone } from "../torture/effort.ts";

const test = suite("steps of backup and restore");
const home = temporaryDirectory().path;
const origin = join(home, "data");
const early = join(home, "early");
const late = join(home, "late");
let digests: { readonly early: Digest; readonly late: Digest };

/** A directory with a journal, and backups of its beginning and its end. */
test.before(async () => {
  const life = [...shopAtWork(60, 800)];
  const log = journalIn(origin);
  await append(log, ...life.slice(0, 400));
  const first = await catchUp(origin);
  await backUp(early);
  await append(log, ...life.slice(400));
  await log.close();
  digests = { early: first, late: await catchUp(origin) };
  await backUp(late);
});

const backup = (target: string) => ["backup", target, "--data-dir", origin];
const restore = (from: string, to: string) => ["restore", from, "--data-dir", to];

const backUp = async (target: string): Promise<void> => {
  const { code, stderr } = await run(backup(target));
  assert.is(code, 0, stderr);
};

let places = 0;
const placeAnew = (): string => {
  places += 1;
  return join(home, `place-${places}`);
};

/** A command that is met by something, and what must hold then. */
interface Work {
  readonly name: string;
  begin(): { readonly place: string; readonly command: readonly string[] };
  check(place: string, isDone: boolean): Promise<void>;
}

const isOneOf = (found: Digest | undefined, all: readonly (Digest | undefined)[]): boolean =>
  all.some((one) => JSON.stringify(one) === JSON.stringify(found));

const works: readonly Work[] = [
  {
    name: "backup",
    begin() {
      const place = placeAnew();
      return { place, command: backup(place) };
    },
    async check(place, isDone) {
      assert.ok(existsSync(place) || !isDone, "it said it was done");
      if (!existsSync(place)) await backUp(place);
      await mustMatchManifest(place);
      assert.equal(unfinished(place), []);
      assert.equal(await modelOf(origin), digests.late);
    },
  },
  {
    name: "restore into a new directory",
    begin() {
      const place = placeAnew();
      return { place, command: restore(late, place) };
    },
    async check(place, isDone) {
      assert.ok(isOneOf(await modelOf(place), isDone ? [digests.late] : [undefined, digests.late]));
      if (!existsSync(join(place, "journal"))) {
        const { code, stderr } = await run(restore(late, place));
        assert.is(code, 0, stderr);
      }
      assert.equal(await catchUp(place), digests.late);
    },
  },
  {
    name: "restore into a directory that answers",
    begin() {
      const place = placeAnew();
      cpSync(origin, place, { recursive: true, verbatimSymlinks: true });
      return { place, command: restore(early, place) };
    },
    async check(place, isDone) {
      const either = isDone ? [digests.early] : [digests.early, digests.late];
      assert.ok(isOneOf(await modelOf(place), either));
      assert.equal(await catchUp(place), digests.late);
    },
  },
];

/** Changes of what has its place for good, not of what is still prepared. */
const ofPlaces = (steps: readonly string[]): readonly number[] =>
  steps.flatMap((step, at) =>
    /\/(journal|operator|manifest\.json|\d{4}|previous|live|place-\d+)$/.test(step) ? [at + 1] : [],
  );

for (const { name, begin, check } of works) {
  for (const outcome of outcomes) {
    test(`a ${name} that is met by ${outcome} before any of its changes is done or not, and can be made again`, async () => {
      const whole = begin();
      const { steps } = await atStep(whole.command, whole.place, 0, outcome);
      await check(whole.place, true);
      const chosen = isLong ? steps.map((_step, at) => at + 1) : ofPlaces(steps);
      assert.ok(chosen.length > 2, steps.join("\n"));
      for (let turn = 0; turn < amount(chosen.length); turn += 1) {
        const { place, command } = begin();
        const { code } = await atStep(command, place, chosen[turn % chosen.length] ?? 0, outcome);
        await check(place, code === 0);
        tellDone(turn + 1);
      }
    });
  }
}

test.run();
