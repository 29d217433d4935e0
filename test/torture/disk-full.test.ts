import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../src/event-log/journal.ts";
import { openDataDirectory } from "../../src/read-model/generation.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted, settingsUpdated } from "../helpers/events.ts";
import { shopAtWork } from "../helpers/life.ts";
import { append, mustEqualReplay } from "../helpers/projector.ts";
import { childrenOf, startService, until } from "../helpers/vitrine.ts";
import { amount, tellDone } from "./effort.ts";

const test = suite("a full disk");

/** How far a process may write into any file, in bytes: what lies beyond is refused as by a disk without room. */
const limitFiles = (pid: number, bytes: number | "unlimited"): void => {
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`]);
};

test("the projector waits for room and says so, reads go on, and then it goes on without loss", async () => {
  const home = temporaryDirectory();
  const journal = join(home.path, "journal");
  const log = openJournal({ directory: journal, now: Date.now });
  await append(log, settingsUpdated(), productUpserted({ id: 5_000, name: "Always there" }));
  const service = await startService(["--events", `journal:${journal}`], {
    dataDir: join(home.path, "data"),
  });
  const isReady = () =>
    until(
      () => service.ops("/readyz"),
      ({ status }) => status === 200,
      60,
    );
  await isReady();
  const projector = (await childrenOf(service.child.pid ?? 0)).get("vitrine projector") ?? 0;
  const live = openDataDirectory(service.dataDir).live() ?? "";
  const life = shopAtWork(200, 1_000_000);
  let last = 2;
  for (let turn = 0; turn < amount(2); turn += 1) {
    limitFiles(projector, statSync(join(live, "data.mdb")).size + 16_384);
    await append(log, ...Array.from({ length: 1_000 }, () => life.next().value));
    last += 1_000;
    const { text } = await until(
      () => service.ops("/readyz"),
      ({ status }) => status === 503,
      60,
    );
    assert.match(text, "make room on the disk");
    const { status, data } = await service.graphql<{ product: { product: { name: string } } }>(
      "{ product(id: 5000) { product { name } } }",
    );
    assert.is(status, 200);
    assert.is(data.product.product.name, "Always there");
    limitFiles(projector, "unlimited");
    await isReady();
    tellDone(turn + 1);
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
