import type { NatsConnection } from "nats";
import { isBug, VitrineError } from "../../errors.ts";
import { refusal } from "./errors.ts";

/** An unbroken stretch of one connection: what is under way on it ends with it. */
export interface Link {
  readonly connection: NatsConnection;
  isUp(): boolean;
  /** Calls back when it breaks, at once when it is broken. Returns the way to stop waiting. */
  onBreak(listener: () => void): () => void;
}

export interface BreakableLink extends Link {
  break(): void;
}

export function newLink(connection: NatsConnection): BreakableLink {
  const listeners = new Set<() => void>();
  let isUp = true;
  return {
    connection,
    isUp: () => isUp,
    onBreak: (listener) => {
      if (!isUp) listener();
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    break: () => {
      isUp = false;
      for (const listener of [...listeners]) listener();
      listeners.clear();
    },
  };
}

/**
 * What there is to say while there is no link.
 * @param lastError by what the newest try to connect ended, if one did
 */
export function notConnected(address: string, lastError: VitrineError | undefined): VitrineError {
  const reason = lastError ? `: ${lastError.message.replace(`${address}: `, "")}` : "";
  const hint = lastError?.hint || "wait, or start the broker";
  return new VitrineError("event_log", `${address}: not connected${reason}`, hint);
}

/**
 * @param unavailableReason what to say without a link
 * @throws VitrineError event_log when the link is broken, or breaks before the answer; a bug as it is
 */
export async function askOver<T>(
  link: Link,
  address: string,
  unavailableReason: () => VitrineError,
  send: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  if (!link.isUp()) throw unavailableReason();
  let stop = () => {};
  const broken = new Promise<never>((_, reject) => {
    stop = link.onBreak(() => reject(unavailableReason()));
  });
  try {
    return await Promise.race([send(link.connection), broken]);
  } catch (thrown) {
    throw isBug(thrown) ? thrown : refusal(thrown, address);
  } finally {
    stop();
  }
}
