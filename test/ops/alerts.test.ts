import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { temporaryDirectory } from "../helpers/directory.ts";
import {
  categoryUpserted,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../helpers/events.ts";
import { readAlertRules } from "../helpers/monitoring-files.ts";
import { promtool } from "../helpers/promtool.ts";
import { ndjson, type RunningVitrine, run, startVitrine, until } from "../helpers/vitrine.ts";

const test = suite("metrics and alerts");

const rules = readAlertRules();

let service: RunningVitrine;
let text = "";

test.before(async () => {
  const dataDir = join(temporaryDirectory().path, "data");
  const events = [
    settingsUpdated(),
    categoryUpserted(),
    productUpserted({ id: 1, categoryIds: [1] }),
    stockChanged({ productId: 1 }),
    stockChanged({ productId: 8 }),
    "nonsense",
    stockChanged({ productId: 1, quantity: 0 }, { time: "2026-01-01T00:00:00Z" }),
  ];
  service = await startVitrine([], { dataDir });
  await run(["publish", "-", "--data-dir", dataDir, "--skip-invalid"], { input: ndjson(events) });
  await run(["publish", "-", "--data-dir", dataDir], {
    input: ndjson([{ ...productUpserted({ id: 2 }), type: "shop.unheard.of" }]),
  });
  await service.graphql("{ shop { name } }");
  text = (
    await until(
      () => service.ops("/metrics"),
      ({ text: body }) => /^vitrine_orphans 1$/m.test(body) && /http_requests_total\{/.test(body),
    )
  ).text;
});
test.after(async () => {
  await service.stop();
});

const value = (name: string): number =>
  Number(new RegExp(`^${name.replace(/[{}"]/g, "\\$&")} (\\S+)$`, "m").exec(text)?.[1]);

test("promtool has no remark about the metrics", () => {
  assert.equal(promtool(["check", "metrics"], text), { code: 0, report: "" });
});

test("every metric in an alert is served", () => {
  const served = new Set(
    [...text.matchAll(/^(vitrine_\w+)(?:\{| )/gm)].map(([, name]) => name ?? ""),
  );
  const named = rules.flatMap(({ expr }) => expr.match(/\bvitrine_\w+/g) ?? []);
  assert.ok(named.length > 20);
  assert.equal(
    named.filter((name) => !served.has(name)),
    [],
  );
});

test("every label value in an alert exists", () => {
  for (const { expr } of rules) {
    for (const [, name, label, wanted] of expr.matchAll(/(vitrine_\w+)\{(\w+)="(\w+)"\}/g)) {
      assert.match(text, new RegExp(`^${name}\\{.*${label}="${wanted}"`, "m"));
    }
  }
});

test("every alert has a severity, a summary and a runbook link", () => {
  assert.is(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  for (const { alert, labels, annotations } of rules) {
    assert.match(labels.severity, /^(page|ticket)$/, alert);
    assert.ok(annotations.summary.length > 20 && annotations.action.length > 20, alert);
  }
});

test("metrics have units, help and correct values", () => {
  for (const [, name] of text.matchAll(/^# TYPE (vitrine_\w+) /gm)) {
    assert.match(text, new RegExp(`^# HELP ${name} [A-Z0-9].{10,}\\.$`, "m"));
  }
  assert.is(value("vitrine_ready"), 1);
  assert.is(value("vitrine_log_reachable"), 1);
  assert.is(value('vitrine_projector_state{state="live"}'), 1);
  assert.is(value('vitrine_projector_state{state="stalled"}'), 0);
  assert.is(value("vitrine_checkpoint_sequence"), 6);
  assert.is(value("vitrine_products"), 1);
  assert.is(value("vitrine_products_in_stock"), 1);
  assert.is(value("vitrine_categories"), 1);
  assert.is(value("vitrine_stale_events"), 1);
  assert.is(value("vitrine_dead_letters"), 0);
  assert.is(value("vitrine_rebuild_running"), 0);
  assert.is(value('vitrine_restarts_total{process="projector"}'), 0);
  assert.ok(value("vitrine_generation_size_bytes") > 4096);
  assert.ok(value("vitrine_data_free_bytes") > 0);
  const age = Date.now() / 1000 - value("vitrine_checkpoint_timestamp_seconds");
  assert.ok(age >= 0 && age < 120, `${age} seconds`);
  const since = Date.now() / 1000 - value("vitrine_projector_state_since_timestamp_seconds");
  assert.ok(since >= 0 && since < 120, `${since} seconds`);
  assert.match(text, /^vitrine_generation_info\{generation="0001",previous=""\} 1$/m);
  assert.match(text, /^vitrine_build_info\{version="\d\S*",node="v\d\S*",projections="product\./m);
});

test.run();
