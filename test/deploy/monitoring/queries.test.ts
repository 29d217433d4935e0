import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  prometheusConfiguration,
  readAlertRules,
  readDashboard,
} from "../../helpers/monitoring-files.ts";
import { type Prometheus, type Series, startPrometheus } from "../../helpers/prometheus.ts";
import { until } from "../../helpers/vitrine.ts";
import { fillVariables } from "./dashboard-queries.ts";
import { selectorsIn, withoutThresholds } from "./expressions.ts";
import { type Replicas, startReplicas } from "./replicas.ts";

/**
 * A real Prometheus, with the project's scrape configuration and rules, scrapes two replicas. It must answer with data
 * - every query of every panel, with the variables filled in as Grafana does it,
 * - the expression of every alert with its thresholds taken out (`withoutThresholds`), because an alert that does not fire has none,
 * - every vector selector in these, because `or` and `absent` have data without it; one with an offset is asked that much later.
 * Data are numbers other than NaN and infinity, of each replica where the series have an instance.
 */
const test = suite<{ replicas: Replicas; prometheus: Prometheus }>("queries of the monitoring");

test.before(async (context) => {
  context.replicas = await startReplicas();
  context.prometheus = await startPrometheus(prometheusConfiguration(context.replicas.targets));
});
test.after(async ({ prometheus, replicas }) => {
  await prometheus?.stop();
  await replicas?.stop();
});

const isData = (series: readonly Series[], targets: readonly string[]): boolean => {
  const finite = series.filter(({ value: [, value] }) => Number.isFinite(Number(value)));
  const hasSeriesOf = (target: string) =>
    finite.some(({ metric: { instance = target } }) => instance === target);
  return finite.length > 0 && targets.every(hasSeriesOf);
};

interface Question {
  readonly query: string;
  readonly laterSeconds: number;
}

const now = (query: string): Question => ({ query, laterSeconds: 0 });

const selectorQuestions = (expression: string): readonly Question[] =>
  selectorsIn(expression).map(({ selector, offsetSeconds }) => ({
    query: offsetSeconds === 0 ? selector : `${selector} offset ${offsetSeconds}s`,
    laterSeconds: offsetSeconds,
  }));

/** Lets the replicas work until each question is answered with data. @throws an error that names the others */
const mustAnswer = async (
  { prometheus, replicas }: { prometheus: Prometheus; replicas: Replicas },
  questions: readonly Question[],
): Promise<void> => {
  const findUnanswered = async () => {
    await replicas.work();
    const answers = await Promise.all(
      questions.map(({ query, laterSeconds }) => prometheus.query(query, laterSeconds)),
    );
    return questions
      .filter((_, at) => !isData(answers[at] ?? [], replicas.targets))
      .map(({ query }) => query);
  };
  await until(findUnanswered, ({ length }) => length === 0, 60, 500);
};

test("every query of every panel has data of each replica", async (context) => {
  await until(
    () => context.prometheus.labelValues("instance", "vitrine_build_info"),
    ({ length }) => length === context.replicas.targets.length,
  );
  const expressions = readDashboard().panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => expr),
  );
  assert.ok(expressions.length > 40);
  const queries = await fillVariables(context.prometheus, expressions);
  await mustAnswer(context, [...queries.map(now), ...queries.flatMap(selectorQuestions)]);
});

test("every expression of an alert has data on both sides of its comparisons", async (context) => {
  const expressions = readAlertRules().map(({ expr }) => expr);
  await mustAnswer(context, [
    ...expressions.map(withoutThresholds).map(now),
    ...expressions.flatMap(selectorQuestions),
  ]);
});

test("every alert is evaluated without an error", async ({ prometheus }) => {
  const reports = await until(
    () => prometheus.rules(),
    (rules) => rules.every(({ health }) => health !== "unknown"),
  );
  assert.equal(
    reports.map(({ name }) => name),
    readAlertRules().map(({ alert }) => alert),
  );
  assert.equal(
    reports.filter(({ health, lastError }) => health !== "ok" || lastError),
    [],
  );
});

test("an orphan, a dead letter and a stopped replica make their alerts pending", async (context) => {
  const { prometheus, replicas } = context;
  const [first, second = ""] = replicas.targets;
  await replicas.services[0]?.stop();
  const pendingOf = async (alert: string) =>
    (await prometheus.rules())
      .filter(({ name }) => name === alert)
      .flatMap(({ alerts }) => alerts.map(({ labels }) => labels["instance"]));
  const isOf = (target: string | undefined) => (instances: readonly (string | undefined)[]) =>
    instances.length === 1 && instances[0] === target;
  await until(() => pendingOf("VitrineReplicaDown"), isOf(first));
  await until(() => pendingOf("VitrineOrphans"), isOf(second));
  await until(() => pendingOf("VitrineDeadLetters"), isOf(second));
});

test.run();
