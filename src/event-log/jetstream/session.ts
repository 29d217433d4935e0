import type { NatsConnection } from "nats";
import { isBug, VitrineError } from "../../errors.ts";
import { toVitrineError } from "./errors.ts";

/** An uninterrupted period of one connection: its pending requests end with it. */
export interface Session {
  readonly connection: NatsConnection;
  isUp(): boolean;
  /**
   * Calls the listener when the session ends, at once when it has ended.
   * @returns the function that removes the listener
   */
  onBreak(listener: () => void): () => void;
}

export interface BreakableSession extends Session {
  break(): void;
}

export function createSession(connection: NatsConnection): BreakableSession {
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
 * Builds the error for a missing session.
 * @param lastError failure of the latest connection attempt, if any
 */
export function notConnectedError(
  address: string,
  lastError: VitrineError | undefined,
): VitrineError {
  const reason = lastError ? `: ${lastError.message.replace(`${address}: `, "")}` : "";
  const hint = lastError?.hint || "wait, or start the broker";
  return new VitrineError("event_log", `${address}: not connected${reason}`, hint);
}

/**
 * Sends a request over a session.
 * @param unavailableReason builds the error for a missing session
 * @throws VitrineError event_log when the session has ended, or ends before the reply; a bug as it is
 */
export async function requestOver<T>(
  session: Session,
  address: string,
  unavailableReason: () => VitrineError,
  send: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  if (!session.isUp()) throw unavailableReason();
  let stop = () => {};
  const broken = new Promise<never>((_, reject) => {
    stop = session.onBreak(() => reject(unavailableReason()));
  });
  try {
    return await Promise.race([send(session.connection), broken]);
  } catch (thrown) {
    throw isBug(thrown) ? thrown : toVitrineError(thrown, address);
  } finally {
    stop();
  }
}
