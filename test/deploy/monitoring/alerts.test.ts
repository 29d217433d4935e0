import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../src/package-info.ts";
import { monitoringFile, readAlertCases, readAlertRules } from "../../helpers/monitoring-files.ts";
import { promtool } from "../../helpers/promtool.ts";

const test = suite("deploy/monitoring/alerts.yml");

const rules = readAlertRules();

const mustPass = (...args: readonly string[]): void => {
  const { code, report } = promtool(args);
  assert.is(code, 0, report);
};

test("promtool accepts the rules and the scrape configuration", () => {
  mustPass("check", "rules", "--lint=all", "--lint-fatal", monitoringFile("alerts.yml"));
  mustPass("check", "config", monitoringFile("prometheus.yml"));
});

test("promtool passes the cases of the alerts", () => {
  mustPass("test", "rules", monitoringFile("alerts.test.yml"));
});

test("every alert has a case in which it fires, and one in which it does not", () => {
  const cases = readAlertCases();
  const casesOf = (isFiring: boolean) =>
    new Set(
      cases
        .filter(({ exp_alerts: alerts = [] }) => alerts.length > 0 === isFiring)
        .map(({ alertname }) => alertname),
    );
  const names = rules.map(({ alert }) => alert).sort();
  assert.ok(names.length > 20);
  assert.equal([...casesOf(true)].sort(), names);
  assert.equal([...casesOf(false)].sort(), names);
});

/** The anchor that a heading of Markdown has on GitHub. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");

test("the runbook lists every alert with its severity and its section", () => {
  const runbook = readFileSync(join(packageRoot, "deploy", "runbook.md"), "utf8");
  const anchors = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => toAnchor(heading));
  const [, table = ""] = runbook.split("\n## Alerts\n");
  const rows = table.split("\n").filter((line) => line.startsWith("| `"));
  for (const { alert, labels, annotations } of rules) {
    const [page, anchor = ""] = annotations.runbook.split("#");
    assert.is(page, "deploy/runbook.md", alert);
    assert.ok(anchors.includes(anchor), annotations.runbook);
    const row = rows.find((line) => line.includes(`\`${alert}\``)) ?? "";
    assert.match(row, `| ${labels.severity} |`, alert);
    assert.match(row, `(#${anchor})`, alert);
  }
});

test.run();
