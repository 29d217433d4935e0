import { createApp } from "../../../http/app.ts";
import { reportRejections } from "../../../http/connection/rejected-connections.ts";
import { countClient } from "../../../http/rate-limit/ipc.ts";
import {
  type Counter,
  createFixedWindow,
  type RateLimit,
} from "../../../http/rate-limit/rate-limit.ts";
import { drain, listen } from "../../../http/server.ts";
import type { Logger } from "../../../log.ts";
import { startRequestSpans } from "../../../ops/tracing/start.ts";
import { openDataDirectory } from "../../../read-model/generations/data-directory.ts";
import { assertOperatorStateIntact } from "../../../read-model/operator/integrity.ts";
import { type OperatorReader, openOperatorReader } from "../../../read-model/operator/state.ts";
import { openIdempotencyStore } from "../../../read-model/registrations/idempotency-store.ts";
import type { ServeConfig } from "../../shared-options.ts";
import { expandRules } from "../../synonyms-file.ts";
import { loadOrCreateSecret } from "../../tokens/secret.ts";
import { workerDescriptor } from "../inherited-socket.ts";
import { ageFromSupervisor, onSupervisorMessage, sendToSupervisor } from "../ipc.ts";
import type { RoleContext } from "../messages.ts";
import { followLiveGeneration } from "./follow-live-generation.ts";

const drainTimeoutMs = 5_000;

/** Milliseconds for which idle connections stay open after a shutdown was requested. */
const drainIdleMs = 500;

/** Serves HTTP until shutdown is requested, then finishes the requests in progress. */
export const runHttpWorker = async ({
  startMessage: { config, synonyms, socket },
  log,
  metrics,
  shutdownRequested,
}: RoleContext<"http">): Promise<void> => {
  const { host, port, baseUrl, dataDir, registration, selfIssuedTokens, toolsAccess } = config;
  const secret = loadOrCreateSecret(config.tokenSecret, dataDir);
  const operator = await openRevocations(dataDir, log);
  const live = await followLiveGeneration(
    openDataDirectory(dataDir),
    (generation) => sendToSupervisor({ kind: "serving", generation }),
    log,
    expandRules(synonyms),
    operator,
  );
  const onFault = (err: unknown) => log.warn({ err }, "the idempotency keys cannot be kept");
  const keys = openIdempotencyStore({ dataDir, now: Date.now, onFault });
  const spans = await startRequestSpans(process.env);
  const app = createApp({
    reader: live.current,
    access: { registration, selfIssuedTokens, toolsAccess, secret, keys },
    baseUrl: baseUrl ?? `http://localhost:${port}`,
    log,
    allowedOrigins: config.allowedOrigins,
    rateLimit: createRateLimit(config),
    sharedMaxAge: config.sharedMaxAge,
    maxFollowers: config.maxFollowers,
    dataAge: ageFromSupervisor(),
    onGraphqlFallback: () => metrics.graphqlFallback(),
    observe(observation) {
      metrics.request(observation);
      spans?.record(observation);
      log.debug(observation, "request");
    },
  });
  const server = await listen(app, {
    host,
    port,
    ...(socket !== undefined && { descriptor: workerDescriptor }),
    isBehindProxy: config.trustProxy > 0,
    maxFollowers: config.maxFollowers,
    onRejection: reportRejections({ log, count: (reason) => metrics.rejection(reason) }),
  });
  sendToSupervisor({ kind: "listening" });
  await shutdownRequested;
  await drain(server, drainTimeoutMs, drainIdleMs);
  await spans?.shutdown();
  await live.close();
  await operator.close();
};

/** Opens the revocations. When they are damaged, every token is rejected, and requests without a token are answered. */
const openRevocations = async (
  dataDir: string,
  log: Logger,
): Promise<Pick<OperatorReader, "revocation" | "close">> => {
  try {
    await assertOperatorStateIntact(dataDir);
    return openOperatorReader(dataDir);
  } catch (error) {
    log.error(
      { err: error },
      "revoked tokens cannot be distinguished from others: every token is rejected",
    );
    const reject = () => {
      throw error;
    };
    return { revocation: reject, close: async () => undefined };
  }
};

const createRateLimit = (config: ServeConfig): RateLimit => ({
  limit: config.rateLimit,
  trustedProxies: config.trustProxy,
  count: config.workers === 1 ? countLocally(config) : countInSupervisor(),
});

const countLocally = ({ rateLimit }: ServeConfig): Counter =>
  createFixedWindow(rateLimit, () => performance.now());

/** Counts in the supervisor, because several HTTP processes share the limit. */
const countInSupervisor = (): Counter => {
  const { count, onReply } = countClient(sendToSupervisor);
  onSupervisorMessage("counted", onReply);
  return count;
};
