import { join } from "node:path";
import type { CloudEvent } from "../events/envelope.ts";
import type { Logger } from "../log.ts";
import { serialised } from "../projector/integrity/lock.ts";
import type { WebhookEntry } from "./configuration.ts";
import { createGroupCommit } from "./group-commit.ts";
import { openInbox } from "./inbox/inbox.ts";
import type { InboxDepth } from "./metrics.ts";
import type { Receiver } from "./receive.ts";
import type { Batch } from "./translate-batch.ts";
import { startTranslateLoop } from "./translate-loop.ts";
import { createTranslator } from "./translators.ts";
import { createWebhooks } from "./webhooks.ts";

/** Bounds of what waits in an inbox. */
const maxWaiting = { deliveries: 100_000, bytes: 1024 ** 3 };

/** Time without a published batch after which the gateway is not ready. */
const maxFailingMs = 60_000;

export interface ConnectionDeps {
  /** Directory of all connections. */
  readonly directory: string;
  readonly publish: (events: readonly CloudEvent[]) => Promise<void>;
  readonly onBatch: (connection: string, batch: Batch) => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** A connection with its inbox, whose deliveries are translated until the signal. */
export interface RunningConnection {
  readonly name: string;
  readonly receiver: Receiver;
  depth(): InboxDepth;
  /** Why the connection needs its operator; empty when it does not. */
  reasons(): readonly string[];
  /** Resolves when the loop has ended and the inbox is closed. */
  close(): Promise<void>;
}

export const startConnection = (
  { name, settings, secrets }: WebhookEntry,
  { directory, publish, onBatch, log, signal }: ConnectionDeps,
): RunningConnection => {
  const path = join(directory, name);
  const inbox = openInbox(path);
  const translator = createTranslator(settings);
  const loop = startTranslateLoop({
    ...{ name, translator, inbox, log, signal },
    source: settings.source ?? `/connections/${name}`,
    appendEvents: publish,
    exclusive: (work) => serialised(join(path, "translation"), work),
    onBatch: (batch) => onBatch(name, batch),
  });
  /** The part of the inbox that waits, 1 when it is full. */
  const fullness = (): number => {
    const { last, position, waitingBytes } = inbox.meta();
    return Math.max((last - position) / maxWaiting.deliveries, waitingBytes / maxWaiting.bytes);
  };
  const append = createGroupCommit(inbox, loop.wake);
  return {
    name,
    receiver: {
      secrets,
      webhooks: createWebhooks(settings),
      append,
      find: inbox.find,
      isFull: () => fullness() >= 1,
    },
    depth() {
      const { last, position } = inbox.meta();
      const [oldest] = inbox.readWaiting(1, 0);
      const seconds = oldest ? (Date.now() - Date.parse(oldest.arrivedAt)) / 1000 : 0;
      return { deliveries: last - position, seconds: Math.max(0, seconds) };
    },
    reasons() {
      const bug = loop.bug();
      const isHalfFull = fullness() > 0.5;
      const isFailing = loop.failingMs() > maxFailingMs;
      return [
        ...(bug === undefined ? [] : [`connection ${name}: ${bug}`]),
        ...(isFailing
          ? [`connection ${name}: nothing could be published for ${maxFailingMs / 1000} s`]
          : []),
        ...(isHalfFull ? [`connection ${name}: more than half of the inbox waits`] : []),
      ];
    },
    async close() {
      await loop.ended;
      await inbox.close();
    },
  };
};
