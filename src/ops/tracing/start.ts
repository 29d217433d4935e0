import type { EnvironmentVariables } from "../../config.ts";
import type { RequestSpans } from "./request-spans.ts";

/** Starts the export of spans, where a collector is configured. Only then the SDK is loaded. */
export const startRequestSpans = async (
  env: EnvironmentVariables,
): Promise<RequestSpans | undefined> => {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT && !env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return undefined;
  const { createRequestSpans } = await import("./request-spans.ts");
  return createRequestSpans();
};
