import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createProjectorMonitor } from "../../src/ops/health/projector-monitor.ts";
import { createGauges } from "../../src/ops/metrics/gauges.ts";
import { createProcessMetrics } from "../../src/ops/metrics/process-metrics.ts";
import { packageRoot } from "../../src/package-info.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { readDirectoryUsage } from "../../src/read-model/generations/disk-usage.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { readSources } from "../helpers/sources.ts";

const test = suite("deploy/runbook.md");
const page = readFileSync(join(packageRoot, "deploy", "runbook.md"), "utf8");
const source = readSources().join("\n");

/** What stands in backquotes, on one line each; blocks of code are no messages. */
const quoted = [...page.replace(/^```.*?^```/gms, "").matchAll(/`([^`]+)`/g)].map(([, text = ""]) =>
  text.replace(/\s+/g, " "),
);

test("every metric it names is there", async () => {
  const { path } = temporaryDirectory();
  const look = () => ({
    projector: createProjectorMonitor(Date.now).current(),
    reasons: [],
    usage: readDirectoryUsage(openDataDirectory(path)),
    quarantined: [],
    building: undefined,
  });
  const snapshots = await Promise.all([
    createGauges(look).snapshot(),
    createProcessMetrics("projector").snapshot(),
    createProcessMetrics("http-1").snapshot(),
  ]);
  const known = new Set(snapshots.flat().map(({ name }) => name));
  const named = [...page.matchAll(/vitrine_[a-z_]+/g)].map(([name]) => name);
  assert.ok(named.length > 5);
  assert.equal(
    named.filter((name) => !known.has(name)),
    [],
  );
});

test("every message it quotes is one that Vitrine says", () => {
  const isMessage = (text: string) => / \S+ /.test(text) && !/^(vitrine|GET|--)|==|\(/.test(text);
  const messages = quoted.filter(isMessage);
  assert.ok(messages.length > 8, messages.join("\n"));
  const parts = messages.flatMap((text) => text.split("…").map((part) => part.trim()));
  assert.equal(
    parts.filter((part) => part.length > 3 && !source.includes(part.replace(/^[;:,] */, ""))),
    [],
  );
});

test.run();
