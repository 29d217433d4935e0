import { existsSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Digest } from "../../src/read-model/store/store.ts";
import { catchUp, journalIn, modelOf, mustMatchManifest, unfinished } from "../helpers/backups.ts";
import { copyDataDirectory } from "../helpers/copy-data.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { amount, isLong, reportDone } from "../helpers/effort.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append } from "../helpers/projector.ts";
import { atStep, outcomes } from "../helpers/steps.ts";
import { run } from "../helpers/vitrine.ts";

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

let targetCount = 0;
const newTarget = (): string => {
  targetCount += 1;
  return join(home, `target-${targetCount}`);
};

/** A command that is interrupted, and the checks afterwards. */
interface Work {
  readonly name: string;
  begin(): { readonly target: string; readonly command: readonly string[] };
  check(target: string, isDone: boolean): Promise<void>;
}

const isOneOf = (found: Digest | undefined, all: readonly (Digest | undefined)[]): boolean =>
  all.some((one) => JSON.stringify(one) === JSON.stringify(found));

const works: readonly Work[] = [
  {
    name: "backup",
    begin() {
      const target = newTarget();
      return { target, command: backup(target) };
    },
    async check(target, isDone) {
      assert.ok(existsSync(target) || !isDone, "the command reported success");
      if (!existsSync(target)) await backUp(target);
      await mustMatchManifest(target);
      assert.equal(unfinished(target), []);
      assert.equal(await modelOf(origin), digests.late);
    },
  },
  {
    name: "restore into a new directory",
    begin() {
      const target = newTarget();
      return { target, command: restore(late, target) };
    },
    async check(target, isDone) {
      assert.ok(
        isOneOf(await modelOf(target), isDone ? [digests.late] : [undefined, digests.late]),
      );
      if (!existsSync(join(target, "journal"))) {
        const { code, stderr } = await run(restore(late, target));
        assert.is(code, 0, stderr);
      }
      assert.equal(await catchUp(target), digests.late);
    },
  },
  {
    name: "restore into a directory that answers",
    begin() {
      const target = newTarget();
      copyDataDirectory(origin, target);
      return { target, command: restore(early, target) };
    },
    async check(target, isDone) {
      const either = isDone ? [digests.early] : [digests.early, digests.late];
      assert.ok(isOneOf(await modelOf(target), either));
      assert.equal(await catchUp(target), digests.late);
    },
  },
];

/** Steps that change final names, not temporary ones. */
const finalNameSteps = (steps: readonly string[]): readonly number[] =>
  steps.flatMap((step, at) =>
    /\/(journal|operator|manifest\.json|\d{4}|previous|live|target-\d+)$/.test(step)
      ? [at + 1]
      : [],
  );

/** Lists the changes of a command that nothing interrupts. */
const completeSteps = async ({ begin, check }: Work): Promise<readonly string[]> => {
  const { target, command } = begin();
  const { steps } = await atStep(command, target, 0, "EIO");
  await check(target, true);
  assert.ok(steps.length > 5, steps.join("\n"));
  return steps;
};

for (const work of works) {
  const { name, begin, check } = work;
  let steps: readonly string[] | undefined;
  for (const outcome of outcomes) {
    test(`a ${name} interrupted by ${outcome} before one of its changes is complete or absent, and repeatable`, async () => {
      steps ??= await completeSteps(work);
      // The long form takes each step; the short one takes half of the most important, and the other outcome the other half.
      const half = outcomes.indexOf(outcome);
      const chosen = isLong
        ? steps.map((_step, at) => at + 1)
        : finalNameSteps(steps).filter((_step, at) => at % outcomes.length === half);
      assert.ok(chosen.length > 0, steps.join("\n"));
      for (let turn = 0; turn < amount(chosen.length); turn += 1) {
        const { target, command } = begin();
        const { code } = await atStep(command, target, chosen[turn % chosen.length] ?? 0, outcome);
        await check(target, code === 0);
        reportDone(turn + 1);
      }
    });
  }
}

test.run();
