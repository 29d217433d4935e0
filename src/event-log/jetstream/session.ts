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
  let up = true;
  return {
    connection,
    isUp: () => up,
    onBreak: (listener) => {
      if (!up) listener();
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    break: () => {
      up = false;
      for (const listener of [...listeners]) listener();
      listeners.clear();
    },
  };
}

/**
 * What there is to say while there is no link.
 * @param refused by what the newest try to connect ended, if one did
 */
export function notConnected(address: string, refused: VitrineError | undefined): VitrineError {
  const why = refused ? `: ${refused.message.replace(`${address}: `, "")}` : "";
  const hint = refused?.hint || "wait, or start the broker";
  return new VitrineError("event_log", `${address}: not connected${why}`, hint);
}

/**
 * @param away what to say without a link
 * @throws VitrineError event_log when the link is broken, or breaks before the answer; a bug as it is
 */
export async function askOver<T>(
  link: Link,
  address: string,
  away: () => VitrineError,
  question: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  if (!link.isUp()) throw away();
  let stop = () => {};
  const broken = new Promise<never>((_, reject) => {
    stop = link.onBreak(() => reject(away()));
  });
  try {
    return await Promise.race([question(link.connection), broken]);
  } catch (thrown) {
    throw isBug(thrown) ? thrown : refusal(thrown, address);
  } finally {
    stop();
  }
}
