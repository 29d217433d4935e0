import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createGatewayMetrics } from "../../src/gateway/metrics.ts";
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

/** Texts in backquotes on one line; code blocks are not messages. */
const quoted = [...page.replace(/^```.*?^```/gms, "").matchAll(/`([^`]+)`/g)].map(([, text = ""]) =>
  text.replace(/\s+/g, " "),
);

test("every metric that the runbook names exists", async () => {
  const { path } = temporaryDirectory();
  const input = () => ({
    projector: createProjectorMonitor(Date.now).current(),
    reasons: [],
    usage: readDirectoryUsage(openDataDirectory(path)),
    quarantined: [],
    building: undefined,
  });
  const snapshots = await Promise.all([
    createGauges(input).snapshot(),
    createProcessMetrics("projector").snapshot(),
    createProcessMetrics("http-1").snapshot(),
  ]);
  const gateway = await createGatewayMetrics(() => new Map()).render();
  const ofGateway = [...gateway.matchAll(/^# HELP (\S+)/gm)].map(([, name = ""]) => name);
  const metricNames = new Set([...snapshots.flat().map(({ name }) => name), ...ofGateway]);
  const named = [...page.matchAll(/vitrine_[a-z_]+/g)].map(([name]) => name);
  assert.ok(named.length > 5);
  assert.equal(
    named.filter((name) => !metricNames.has(name)),
    [],
  );
});

test("every message that the runbook quotes exists in the source", () => {
  const isMessage = (text: string) =>
    / \S+ /.test(text) && !/^(vitrine|npx|GET|--|#|\[)|==|\(/.test(text);
  const messages = quoted.filter(isMessage);
  assert.ok(messages.length > 8, messages.join("\n"));
  const parts = messages.flatMap((text) => text.split("…").map((part) => part.trim()));
  assert.equal(
    parts.filter((part) => part.length > 3 && !source.includes(part.replace(/^[;:,] */, ""))),
    [],
  );
});

test.run();
