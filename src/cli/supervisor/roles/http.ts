import { createApp } from "../../../http/app.ts";
import { reportRejections } from "../../../http/connection/rejected-connections.ts";
import { drain, listen } from "../../../http/server.ts";
import type { Logger } from "../../../log.ts";
import type { Metrics } from "../../../ops/metrics/process-metrics.ts";
import { openDataDirectory } from "../../../read-model/generations/data-directory.ts";
import { operatorStateMustBeSound } from "../../../read-model/operator/integrity.ts";
import { type OperatorReader, openOperatorReader } from "../../../read-model/operator/state.ts";
import { openIdempotencyBook } from "../../../read-model/registrations/idempotency-store.ts";
import type { ServeConfig } from "../../shared-options.ts";
import { type SynonymRule, synonymsOf } from "../../synonyms-file.ts";
import { tokenSecretOf } from "../../tokens/secret.ts";
import { tell } from "../ipc.ts";
import { heardAge } from "./data-age.ts";
import { followLive } from "./follow-live-generation.ts";
import { rateLimitOf } from "./rate-limit.ts";

export interface Answering {
  readonly config: ServeConfig;
  readonly synonyms: readonly SynonymRule[];
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Resolves when shutdown is requested. */
  readonly asked: Promise<void>;
}

const drainTimeoutMs = 5_000;

/** Serves HTTP until shutdown is requested, then finishes the requests in progress. */
export const answer = async ({
  config,
  synonyms,
  log,
  metrics,
  asked,
}: Answering): Promise<void> => {
  const { host, port, baseUrl, dataDir, registration, tokenSecret } = config;
  const operator = await openRevocations(dataDir, log);
  const live = await followLive(
    openDataDirectory(dataDir),
    (generation) => tell({ kind: "serving", generation }),
    log,
    synonymsOf(synonyms),
    operator,
  );
  const onFault = (err: unknown) => log.warn({ err }, "the idempotency keys cannot be kept");
  const keys = openIdempotencyBook({ dataDir, now: Date.now, onFault });
  const app = createApp({
    reader: live.current,
    access: { registration, secret: tokenSecretOf(tokenSecret, dataDir), keys },
    baseUrl: baseUrl ?? `http://localhost:${port}`,
    log,
    allowedOrigins: config.allowedOrigins,
    rateLimit: rateLimitOf(config),
    dataAge: heardAge(),
    observe(observation) {
      metrics.request(observation);
      log.debug(observation, "request");
    },
  });
  const server = await listen(app, {
    host,
    port,
    isBehindProxy: config.trustProxy > 0,
    onRejection: reportRejections({ log, count: (reason) => metrics.rejection(reason) }),
  });
  tell({ kind: "listening" });
  await asked;
  await drain(server, drainTimeoutMs);
  await live.close();
  await operator.close();
};

/** Opens the revocations. When they are damaged, every token is rejected, and requests without a token are answered. */
const openRevocations = async (
  dataDir: string,
  log: Logger,
): Promise<Pick<OperatorReader, "revocation" | "close">> => {
  try {
    await operatorStateMustBeSound(dataDir);
    return openOperatorReader(dataDir);
  } catch (error) {
    log.error({ err: error }, "revoked tokens cannot be told from others: every token is refused");
    const reject = () => {
      throw error;
    };
    return { revocation: reject, close: async () => undefined };
  }
};
