import type { NatsConnection } from "nats";
import { VitrineError } from "../errors.ts";
import { refusal } from "./jetstream-refusal.ts";

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

/** @throws VitrineError event_log when the link is broken, or breaks before the answer */
export async function askOver<T>(
  link: Link,
  address: string,
  question: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  const away = () =>
    new VitrineError("event_log", `${address}: not connected`, "wait, or start the broker");
  if (!link.isUp()) throw away();
  let stop = () => {};
  const broken = new Promise<never>((_, reject) => {
    stop = link.onBreak(() => reject(away()));
  });
  try {
    return await Promise.race([question(link.connection), broken]);
  } catch (thrown) {
    throw refusal(thrown, address);
  } finally {
    stop();
  }
}
