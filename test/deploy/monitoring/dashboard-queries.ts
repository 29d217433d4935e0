import { readDashboard } from "../../helpers/monitoring-files.ts";
import type { Prometheus } from "../../helpers/prometheus.ts";

/** What Grafana takes by default at a scrape interval of 15 s. */
const rateInterval = "1m";

/** Fills the variables of the dashboard into its queries, as Grafana does it while "All" is selected. */
export const fillVariables = async (
  prometheus: Prometheus,
  expressions: readonly string[],
): Promise<readonly string[]> => {
  const instances = await askVariable(prometheus, "instance");
  const pattern = `(${instances.map(escapePattern).join("|")})`;
  return expressions.map((expression) =>
    expression.replaceAll("$__rate_interval", rateInterval).replaceAll("$instance", pattern),
  );
};

/** Escapes for a regular expression, and the backslash once more for a PromQL string. */
const escapePattern = (text: string): string => text.replaceAll(/[.+*?()[\]{}^$|\\]/g, "\\\\$&");

/** @throws when the variable is not a `label_values(selector, label)` */
const askVariable = async (prometheus: Prometheus, name: string): Promise<readonly string[]> => {
  const variable = readDashboard().templating.list.find((one) => one.name === name);
  const [, selector, label] =
    /^label_values\((\w+), (\w+)\)$/.exec(variable?.definition ?? "") ?? [];
  if (selector === undefined || label === undefined) throw new Error(`no variable ${name}`);
  return prometheus.labelValues(label, selector);
};
