/** Reads the files of deploy/monitoring. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { packageRoot } from "../../src/package-info.ts";

export const monitoringFile = (name: string): string =>
  join(packageRoot, "deploy", "monitoring", name);

const read = (name: string): string => readFileSync(monitoringFile(name), "utf8");

/** Rule of alerts.yml. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: {
    readonly summary: string;
    readonly action: string;
    readonly runbook: string;
  };
}

export const readAlertRules = (): readonly AlertRule[] =>
  parse(read("alerts.yml")).groups.flatMap(({ rules }: { rules: readonly AlertRule[] }) => rules);

/** Case of alerts.test.yml. */
export interface AlertCase {
  readonly alertname: string;
  readonly exp_alerts?: readonly object[];
}

export const readAlertCases = (): readonly AlertCase[] =>
  parse(read("alerts.test.yml")).tests.flatMap(
    ({ alert_rule_test: cases }: { alert_rule_test: readonly AlertCase[] }) => cases,
  );
