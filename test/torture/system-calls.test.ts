import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { again, amount, chanceOf, isLong, reportDone } from "../helpers/effort.ts";
import { productUpserted, settingsUpdated } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append, mustEqualReplay } from "../helpers/projector.ts";
import { inject } from "../helpers/strace.ts";
import { childPid, type RunningVitrine, startVitrine, until } from "../helpers/vitrine.ts";

const test = suite("failing system calls");
const turns = amount(12);

const writes = ["pwrite64", "pwritev", "write", "writev", "ftruncate", "fallocate"];
const syncs = ["fdatasync", "fsync", "msync", "sync_file_range"];

/** Failures of a disk: an error, no space, an interruption, or a partial write. */
const outcomes: readonly (readonly [calls: readonly string[], outcome: string])[] = [
  [[...writes, ...syncs], "error=EIO"],
  [writes, "error=ENOSPC"],
  [[...writes, ...syncs], "error=EINTR"],
  [["pwrite64"], "retval=512"],
];

const checkpointOf = async (service: RunningVitrine): Promise<number> =>
  JSON.parse((await service.ops("/status")).text).status?.checkpoint;

/** Failures that are not retried within the call: the full batch must be retried. */
const failsBatch = (outcome: string): boolean => /EIO|ENOSPC/.test(outcome);

const complaints = (service: RunningVitrine): number =>
  service.stderr().match(/the read model cannot be written/g)?.length ?? 0;

const mustAnswer = async (service: RunningVitrine, what: string): Promise<void> => {
  const { status } = await service.graphql("{ products(first: 3) { totalCount } }");
  assert.is(status, 200, what);
};

test(`${turns} failed writes and syncs at different calls: the batch is retried, reads go on, nothing is lost`, async () => {
  const home = temporaryDirectory();
  const journal = join(home.path, "journal");
  const log = openJournal({ directory: journal, now: Date.now });
  await append(log, settingsUpdated(), productUpserted({ id: 5_000 }));
  const service = await startVitrine(["--events", `journal:${journal}`]);
  await service.ready();
  const live = openDataDirectory(service.dataDir).live() ?? "";
  const chance = chanceOf("system calls");
  const life = shopAtWork(200, 10_000_000);
  let last = 2;
  let failed = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    const [calls, outcome] = isLong ? chance.pick(outcomes) : (outcomes[turn % 4] ?? [[], ""]);
    // Each of the first calls in turn.
    const when = `${1 + turn}`;
    const what = `${outcome} at call ${when}: ${again("test/torture/system-calls.test.ts")}`;
    // A commit that was wrongly reported as failed is visible before its process exits and the next one starts.
    const pid = await childPid(service, "vitrine projector");
    const path = join(live, "data.mdb");
    const before = complaints(service);
    const injecting = await inject({ pid, path, calls, outcome, when });
    for (let left = 2 + chance.below(4) + Number(when); left > 0; left -= 1) {
      await append(log, ...Array.from({ length: 10 }, () => life.next().value));
      last += 10;
      await mustAnswer(service, what);
    }
    await until(
      () => checkpointOf(service),
      (checkpoint) => checkpoint === last,
      60,
    ).catch((error: Error) => {
      throw new Error(`${what}: ${error.message}\n${service.stderr().slice(-1_500)}`);
    });
    if (injecting.failed() > 0 && failsBatch(outcome)) {
      assert.ok(complaints(service) > before, `${what}: it was not reported`);
    }
    failed += injecting.failed();
    await injecting.stop();
    await mustAnswer(service, what);
    reportDone(turn + 1);
  }
  assert.ok(failed > turns / 2, `only ${failed} calls failed`);
  assert.match(service.stderr(), "the read model cannot be written");
  assert.is((await service.stop()).code, 0);
  await mustEqualReplay(service.dataDir, log, last);
  await log.close();
  home.remove();
});

test.run();
