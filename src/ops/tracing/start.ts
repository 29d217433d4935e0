import type { EnvironmentVariables } from "../../config.ts";
import type { Observation } from "../../http/observation.ts";

/** Exports spans of requests. */
export interface RequestSpans {
  record(observation: Observation): void;
  /** Exports what waits. */
  shutdown(): Promise<void>;
}

/** Starts the export of spans, where a collector is configured. Only then the SDK is loaded. */
export const startRequestSpans = async ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint = "",
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint = "",
  OTEL_SERVICE_NAME: serviceName = "vitrine",
}: EnvironmentVariables): Promise<RequestSpans | undefined> => {
  if (endpoint === "" && tracesEndpoint === "") return undefined;
  const { createRequestSpans } = await import("./request-spans.ts");
  return createRequestSpans(serviceName);
};
