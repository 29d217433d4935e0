import { Counter, Histogram, Registry } from "prom-client";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  createMetricsAggregator,
  createProcessMetrics,
} from "../../../src/ops/metrics/process-metrics.ts";

const test = suite("metrics of several processes");

const request = { route: "graphql", method: "POST", status: 200, seconds: 0.003 };
const total = 'vitrine_http_requests_total{route="graphql",method="POST",status="200"}';

test("counters are summed, and process figures are separate", async () => {
  const gathered = createMetricsAggregator();
  for (const name of ["http-1", "http-2"]) {
    const metrics = createProcessMetrics(name);
    metrics.request(request);
    gathered.update(name, await metrics.snapshot());
  }
  const text = await gathered.render();
  assert.match(text, `${total} 2`);
  assert.match(text, 'vitrine_http_request_duration_seconds_bucket{le="0.005",route="graphql"} 2');
  assert.match(text, /process_resident_memory_bytes\{process="http-1"\} \d+/);
  assert.match(text, /process_resident_memory_bytes\{process="http-2"\} \d+/);
});

test("counters never fall when a process is replaced", async () => {
  const gathered = createMetricsAggregator();
  for (let life = 1; life <= 3; life += 1) {
    const metrics = createProcessMetrics("http-1");
    metrics.request(request);
    gathered.update("http-1", await metrics.snapshot());
    assert.match(await gathered.render(), `${total} ${life}\n`);
    gathered.remove("http-1");
    const text = await gathered.render();
    assert.match(text, `${total} ${life}\n`);
    assert.not.match(text, 'process="http-1"');
  }
});

test("rejected connections are counted by reason, each from zero", async () => {
  const gathered = createMetricsAggregator();
  for (const name of ["http-1", "http-2"]) {
    const metrics = createProcessMetrics(name);
    metrics.rejection("malformed_request");
    gathered.update(name, await metrics.snapshot());
  }
  const text = await gathered.render();
  const rejected = "vitrine_http_rejected_connections_total";
  assert.match(text, `${rejected}{reason="malformed_request"} 2`);
  assert.match(text, `${rejected}{reason="client_connection_limit"} 0`);
});

test("repeated GraphQL executions are counted", async () => {
  const gathered = createMetricsAggregator();
  for (const name of ["http-1", "http-2", "projector"]) {
    const metrics = createProcessMetrics(name);
    metrics.graphqlFallback();
    gathered.update(name, await metrics.snapshot());
  }
  assert.match(await gathered.render(), "vitrine_graphql_fallbacks_total 2\n");
});

test("a client cannot create time series", async () => {
  const metrics = createProcessMetrics("http-1");
  metrics.request({ ...request, method: "BREW" });
  const gathered = createMetricsAggregator();
  gathered.update("http-1", await metrics.snapshot());
  assert.match(await gathered.render(), 'method="other"');
});

test("request metrics have the format of prom-client's own counters", async () => {
  const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
  const registers = [new Registry()];
  const help = "for comparison";
  const name = "vitrine_http_requests_total";
  const total = new Counter({ name, help, labelNames: ["route", "method", "status"], registers });
  const duration = new Histogram({
    name: "vitrine_http_request_duration_seconds",
    help,
    labelNames: ["route"],
    buckets,
    registers,
  });
  const metrics = createProcessMetrics("http-1");
  // Also the bounds themselves, and beyond the last one.
  for (const [at, seconds] of [...buckets, 0, 0.003, 0.7, 9].entries()) {
    const [route, status] = at % 3 === 0 ? ["mcp", 400] : ["graphql", 200];
    metrics.request({ route: route as string, method: "POST", status: status as number, seconds });
    total.inc({ route, method: "POST", status });
    duration.observe({ route: route as string }, seconds);
  }
  const linesOf = async (snapshot: ReturnType<typeof metrics.snapshot>) => {
    const gathered = createMetricsAggregator();
    gathered.update("http-1", await snapshot);
    const lines = (await gathered.render()).split("\n");
    return lines.filter((line) => line.startsWith("vitrine_http_request")).toSorted();
  };
  const expected = await linesOf((registers[0] as Registry).getMetricsAsJSON());
  assert.is(expected.length, 34);
  assert.equal(await linesOf(metrics.snapshot()), expected);
});

test.run();
