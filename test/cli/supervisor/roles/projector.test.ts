import { rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { runProjectorRole } from "../../../../src/cli/supervisor/roles/projector.ts";
import { readConfig } from "../../../../src/config.ts";
import { openJournal } from "../../../../src/event-log/journal/index.ts";
import { createLogger } from "../../../../src/log.ts";
import { createProcessMetrics } from "../../../../src/ops/metrics/process-metrics.ts";
import type { ProjectorStatus } from "../../../../src/projector/status/status.ts";
import { openDataDirectory } from "../../../../src/read-model/generations/data-directory.ts";
import { type SettingName, settings } from "../../../../src/settings.ts";
import { temporaryDirectory } from "../../../helpers/directory.ts";
import { productUpserted, settingsUpdated } from "../../../helpers/events.ts";
import { append, isLiveAt, startProjector } from "../../../helpers/projector.ts";

const test = suite("projector process of a service");

/** Interval of two reports, in ms. */
const reportEvery = 250;

/** Stops periodic reports until the returned function is called, so that only immediate reports arrive. */
const withoutReports = (): (() => void) => {
  const { setInterval } = globalThis;
  const silent = (work: () => void, every?: number) =>
    setInterval(every === reportEvery ? () => undefined : work, every);
  globalThis.setInterval = silent as typeof setInterval;
  return () => {
    globalThis.setInterval = setInterval;
  };
};

test("the projector reports at once which generation it writes, so that a crash is attributed to it", async () => {
  const home = temporaryDirectory();
  const [data, journal] = [join(home.path, "data"), join(home.path, "journal")];
  const publishShop = async () => {
    const log = openJournal({ directory: journal, now: Date.now });
    await append(log, settingsUpdated(), productUpserted());
    return log;
  };
  const before = await publishShop();
  const first = startProjector(data, before);
  await first.until(isLiveAt(2));
  await first.stop();
  await before.close();
  rmSync(journal, { recursive: true });
  await (await publishShop()).close();

  const states: string[] = [];
  const ended = new AbortController();
  const onStatus = ({ state, generation }: ProjectorStatus): void => {
    states.push(`${state} ${generation}`);
    if (state === "live" && generation === "0002") ended.abort();
  };
  const names = Object.keys(settings) as SettingName[];
  const config = readConfig({ events: `journal:${journal}`, dataDir: data }, {}, names);
  const report = withoutReports();
  try {
    await runProjectorRole({
      config,
      directory: openDataDirectory(data),
      logger: createLogger("silent", "test"),
      metrics: createProcessMetrics("test"),
      onStatus,
      signal: ended.signal,
    });
  } finally {
    report();
  }
  assert.is(states[0], "starting 0001", states.join());
  assert.ok(states.includes("rebuilding 0002"), states.join());
  home.remove();
});

test.run();
