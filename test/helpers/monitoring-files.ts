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

/** The part of prometheus.yml that a test changes. */
interface PrometheusConfiguration {
  readonly scrape_configs: readonly [{ readonly job_name: string }];
}

/** Prepares prometheus.yml for a test: these targets are scraped, and the rules evaluated, each second. */
export const prometheusConfiguration = (targets: readonly string[]): object => {
  const example: PrometheusConfiguration = parse(read("prometheus.yml"));
  const [job] = example.scrape_configs;
  return {
    ...example,
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [monitoringFile("alerts.yml")],
    scrape_configs: [{ ...job, static_configs: [{ targets }] }],
  };
};

interface DataSource {
  readonly uid: string;
}

interface Position {
  readonly h: number;
  readonly w: number;
  readonly x: number;
  readonly y: number;
}

/** A panel with queries, or a row. */
export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: Position;
  readonly datasource?: DataSource;
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly {
    readonly refId: string;
    readonly expr: string;
    readonly legendFormat: string;
    readonly datasource: DataSource;
  }[];
}

interface Variable {
  readonly name: string;
  readonly definition?: string;
}

export interface Dashboard {
  readonly description: string;
  readonly templating: { readonly list: readonly Variable[] };
  readonly panels: readonly Panel[];
}

export const readDashboard = (): Dashboard => JSON.parse(read("dashboard.json"));
