import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openWithRetry } from "../../src/cli/event-log.ts";
import { readConfig } from "../../src/config.ts";
import { createLogger } from "../../src/log.ts";
import { type SettingName, settings } from "../../src/settings.ts";
import { temporaryDirectory } from "../helpers/directory.ts";

const test = suite("a broker that is missing at the start");

test("the connection is tried at least every second, and the failure logged once", async () => {
  const dataDir = join(temporaryDirectory().path, "data");
  const names = Object.keys(settings) as SettingName[];
  const config = readConfig({ events: "nats://127.0.0.1:9", dataDir }, {}, names);
  const lines: string[] = [];
  const log = createLogger("warn", "test", { write: (line) => void lines.push(line) });
  const ended = new AbortController();
  const pauses: number[] = [];
  const opened = await openWithRetry(config, log, ended.signal, async (why, pause) => {
    assert.match(why.message, "connection refused");
    if (pauses.push(pause) === 12) ended.abort();
  });
  assert.is(opened, undefined);
  assert.is(pauses.length, 12);
  assert.ok(Math.max(...pauses) <= 1_000, pauses.join());
  assert.is(lines.length, 1, lines.join(""));
});

test.run();
