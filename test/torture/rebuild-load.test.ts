/** A rebuild and its swap under a constant load of reads below the peak. */
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { signToken } from "../../src/surfaces/access/bearer.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { amount, effort, isLong, reportDone, reportMeasured } from "../helpers/effort.ts";
import { settingsUpdated } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append } from "../helpers/projector.ts";
import { run, startVitrine } from "../helpers/vitrine.ts";
import { keepAsking, mixOf, send } from "./traffic.ts";

const test = suite("reads during a rebuild");
const perSecond = 200;
const products = effort(500, 20_000);
const rebuilds = amount(1);
/** Seconds before the first rebuild. */
const quiet = effort(1, 30);
const secret = "a secret of sixteen or more";
/** Maximum factor of the 99th percentile during a rebuild; larger on a machine that runs other tests. */
const longest = isLong ? 2 : 10;
/** Time in ms that is fast enough in any case, next to a process that uses one of two cores. */
const quick = isLong ? 20 : 250;

const p99 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;

test(`${rebuilds} rebuilds of ${products.toLocaleString("en")} products under ${perSecond} requests a second: all answered, nearly as fast`, async () => {
  const home = temporaryDirectory();
  const dataDir = join(home.path, "data");
  openDataDirectory(dataDir);
  const log = openJournal({ directory: join(dataDir, "journal"), now: Date.now });
  const life = shopAtWork(products, 100_000_000) as Iterator<never>;
  await append(log, settingsUpdated());
  for (let published = 0; published < 3 * products; published += 500) {
    await append(log, ...Array.from({ length: 500 }, () => life.next().value));
  }
  const service = await startVitrine(["--workers", "2"], {
    dataDir,
    env: { TOKEN_SECRET: secret },
  });
  await service.ready(120);
  const mix = mixOf(products, signToken({ label: "rebuild", tokenEpoch: 0 }, secret));
  const wrong: string[] = [];
  let times: number[] = [];
  let turn = 0;
  const ask = async (due: number): Promise<void> => {
    turn += 1;
    const { status, text } = await send(service.url, mix(turn));
    if (status !== 200 || text === "") wrong.push(`${status}: ${text.slice(0, 200)}`);
    times.push(performance.now() - due);
  };
  const during = async (work: () => Promise<void>): Promise<readonly number[]> => {
    times = [];
    const state = { end: Number.POSITIVE_INFINITY, rests: () => false };
    const asking = keepAsking(ask, () => perSecond, state);
    await work();
    state.end = performance.now();
    await asking;
    return times;
  };
  await during(() => new Promise((resolve) => setTimeout(resolve, 1_000 * quiet)));
  const before = await during(() => new Promise((resolve) => setTimeout(resolve, 1_000 * quiet)));
  const meanwhile = await during(async () => {
    for (let done = 1; done <= rebuilds; done += 1) {
      const { code, stderr } = await run(["rebuild", "--data-dir", dataDir]);
      assert.is(code, 0, stderr);
      reportDone(done);
    }
  });
  assert.equal(wrong, []);
  const [without, duringRebuild] = [p99(before), p99(meanwhile)];
  const figures = `99 of 100 of ${meanwhile.length} answers within ${duringRebuild.toFixed(1)} ms, ${without.toFixed(1)} ms without a rebuild`;
  assert.ok(duringRebuild <= Math.max(longest * without, quick), figures);
  reportMeasured(figures);
  assert.is((await service.stop()).code, 0);
  await log.close();
  home.remove();
});

test.run();
