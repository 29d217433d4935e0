import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Observation, TraceContext } from "../../http/exchange.ts";
import { packageVersion } from "../../package-info.ts";
import { sleep } from "../../platform/async.ts";

export interface RequestSpans {
  record(observation: Observation): void;
  /** Exports what waits. */
  shutdown(): Promise<void>;
}

const maxShutdownMs = 1_000;

/**
 * Exports a span for each request by OTLP over HTTP. The SDK reads the address of the collector, the sampler and the sizes of batches from
 * the variables of OpenTelemetry, and drops spans that the collector does not take.
 */
export const createRequestSpans = (): RequestSpans => {
  const defaults = { "service.name": "vitrine", "service.version": packageVersion };
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes(defaults).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer("vitrine", packageVersion);
  return {
    record({ route, method, status, seconds, trace: client }: Observation) {
      const endTime = Date.now();
      const attributes = {
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
      };
      const startTime = endTime - seconds * 1000;
      const options = { kind: SpanKind.SERVER, startTime, attributes };
      const span = tracer.startSpan(`${method} ${route}`, options, parentOf(client));
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endTime);
    },
    // A collector that does not answer must not delay the end of the process.
    shutdown: () =>
      Promise.race([provider.shutdown().catch(() => undefined), sleep(maxShutdownMs)]),
  };
};

const parentOf = (client: TraceContext | undefined): Context => {
  if (!client) return ROOT_CONTEXT;
  const { traceId, parentId: spanId, isSampled } = client;
  const parent = { traceId, spanId, traceFlags: isSampled ? 1 : 0, isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, parent);
};
