import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { amount, reportDone } from "../helpers/effort.ts";
import { productUpserted, settingsUpdated } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append, mustEqualReplay } from "../helpers/projector.ts";
import { childPid, startVitrine, until } from "../helpers/vitrine.ts";

const test = suite("full disk");

/** Maximum rounds of events until the disk is full: a file has at most as many free pages as pages. */
const mostRounds = 100;

/** Limits the size of every file that a process writes, in bytes; a larger write fails as on a full disk. */
const limitFiles = (pid: number, bytes: number | "unlimited"): void => {
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`]);
};

test("on a full disk the projector waits and reports it, reads go on, and nothing is lost", async () => {
  const home = temporaryDirectory();
  const journal = join(home.path, "journal");
  const log = openJournal({ directory: journal, now: Date.now });
  await append(log, settingsUpdated(), productUpserted({ id: 5_000, name: "Always there" }));
  const service = await startVitrine(["--events", `journal:${journal}`], {
    dataDir: join(home.path, "data"),
  });
  await service.ready();
  const projector = await childPid(service, "vitrine projector");
  const live = openDataDirectory(service.dataDir).live() ?? "";
  const life = shopAtWork(200, 1_000_000);
  const text = `<p>${"As long as it often is. ".repeat(80)}</p>`;
  let last = 2;
  /** Events of a working shop and of new products, which need more than the free pages. */
  const round = async (): Promise<void> => {
    const events = Array.from({ length: 1_000 }, () => life.next().value);
    const large = Array.from({ length: 50 }, (_, at) =>
      productUpserted({ id: 5_001 + last + at, descriptionHtml: text }),
    );
    await append(log, ...events, ...large);
    last += events.length + large.length;
  };
  const fill = async (): Promise<void> => {
    for (let rounds = 0; rounds < mostRounds; rounds += 1) {
      await round();
      const { ready } = await until(
        async () => JSON.parse((await service.ops("/status")).text),
        (answer) => !answer.ready || answer.status.checkpoint === last,
        60,
      );
      if (!ready) return;
    }
    throw new Error(`there was room for ${last} events`);
  };
  for (let turn = 0; turn < amount(2); turn += 1) {
    limitFiles(projector, statSync(join(live, "data.mdb")).size + 16_384);
    await fill();
    // The system sends it with each write beyond the limit, which not every turn has.
    process.kill(projector, "SIGXFSZ");
    assert.match((await service.ops("/readyz")).text, "make room on the disk");
    const { status, data } = await service.graphql<{ product: { product: { name: string } } }>(
      "{ product(id: 5000) { product { name } } }",
    );
    assert.is(status, 200);
    assert.is(data.product.product.name, "Always there");
    limitFiles(projector, "unlimited");
    await service.ready();
    reportDone(turn + 1);
  }
  assert.not.match((await service.ops("/metrics")).text, /^vitrine_restarts_total\{.*\} [1-9]/m);
  await until(
    async () => JSON.parse((await service.ops("/status")).text).status.checkpoint,
    (checkpoint) => checkpoint === last,
    60,
  );
  assert.is((await service.stop()).code, 0);
  await mustEqualReplay(service.dataDir, log, last);
  await log.close();
  home.remove();
});

test.run();
