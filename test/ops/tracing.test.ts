import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startRequestSpans } from "../../src/ops/tracing/start.ts";
import { settingsUpdated } from "../helpers/events.ts";
import { ndjson, run, startVitrine, until } from "../helpers/vitrine.ts";

const test = suite("traces");

interface Span {
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

/** A collector that keeps the spans it gets. */
const startCollector = () =>
  new Promise<{ url: string; spans: readonly Span[]; close: () => void }>((resolve) => {
    const spans: Span[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (text) => {
        body += text;
      });
      request.on("end", () => {
        for (const { scopeSpans } of JSON.parse(body).resourceSpans)
          for (const scope of scopeSpans) spans.push(...scope.spans);
        response.end("{}");
      });
    });
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({ url: `http://127.0.0.1:${port}`, spans, close: () => void server.close() });
    });
  });

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const other = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const parentId = "00f067aa0ba902b7";

test("a request is a span below the client's, and its log line has the trace", async () => {
  const collector = await startCollector();
  const service = await startVitrine([], {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: "50",
      LOG_LEVEL: "debug",
    },
  });
  const input = ndjson([settingsUpdated()]);
  await run(["publish", "-", "--data-dir", service.dataDir], { input });
  await service.ready();
  const ask = (traceparent: string) =>
    fetch(`${service.url}/llms.txt`, { headers: { traceparent } });
  await ask(`00-${other}-${parentId}-00`);
  await ask(`00-${traceId}-${parentId}-01`);
  const spans = await until(
    async () => collector.spans.filter((span) => span.traceId === traceId),
    (found) => found.length > 0,
  );
  assert.equal(
    spans.map(({ parentSpanId, name, kind }) => ({ parentSpanId, name, kind })),
    [{ parentSpanId: parentId, name: "GET llms-txt", kind: 2 }],
  );
  assert.equal(spans[0]?.attributes.find(({ key }) => key === "http.response.status_code")?.value, {
    intValue: 200,
  });
  assert.equal(
    collector.spans.filter((span) => span.traceId === other),
    [],
    "a trace that the client does not record",
  );
  const { stderr, code } = await service.stop();
  assert.is(code, 0);
  const lines = stderr.split("\n").filter((line) => line.includes(traceId));
  assert.equal(
    lines.map((line) => JSON.parse(line)).map(({ msg, trace }) => ({ msg, trace })),
    [{ msg: "request", trace: { traceId, parentId, isSampled: true } }],
  );
  collector.close();
});

test("a collector that is away delays no request and no end of the service", async () => {
  const service = await startVitrine([], {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" },
  });
  assert.is((await fetch(`${service.url}/graphql/schema.graphql`)).status, 200);
  const startedAt = performance.now();
  assert.is((await service.stop()).code, 0);
  assert.ok(performance.now() - startedAt < 8_000);
});

test("without a collector nothing is exported", async () => {
  assert.is(await startRequestSpans({}), undefined);
  assert.is(await startRequestSpans({ OTEL_EXPORTER_OTLP_ENDPOINT: "" }), undefined);
});

test.run();
