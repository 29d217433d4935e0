/** What is left of a client's requests after one more of them. */
export interface Counted {
  readonly admitted: boolean;
  /** Requests the client has left in its window. */
  readonly remaining: number;
  /** Milliseconds until it has all of them again; above 0. */
  readonly resetIn: number;
}

/** Counts one request of a client. */
export type Count = (client: string) => Counted | Promise<Counted>;

/** Milliseconds: limits are so many requests a minute (§8). */
export const windowLength = 60_000;

/** Clients that are remembered while they stay under the limit. About 20 MB. */
const maxOpenWindows = 100_000;

interface Window {
  used: number;
  readonly endsAt: number;
}

/**
 * Counts requests, exactly, in windows that begin with a client's first request.
 * A client that has used up its window is remembered until that ends, however many there are: each of them costs
 * `limit` requests a minute, so they stay few. The others are forgotten, the oldest first, where room runs out.
 * @param limit requests a client may make in one window, from 1
 * @param now a clock in milliseconds that never goes back
 */
export const countRequests = (limit: number, now: () => number, maxOpen = maxOpenWindows) => {
  // Windows are equally long, so the order they were put in is the order they end in.
  const open = new Map<string, Window>();
  const exhausted = new Map<string, Window>();
  const startWindow = (client: string, time: number): Window => {
    dropEnded(open, time);
    dropEnded(exhausted, time);
    if (open.size >= maxOpen) dropFirst(open);
    const window = { used: 0, endsAt: time + windowLength };
    exhausted.delete(client);
    open.delete(client);
    open.set(client, window);
    return window;
  };
  return (client: string): Counted => {
    const time = now();
    const current = exhausted.get(client) ?? open.get(client);
    const window = current && current.endsAt > time ? current : startWindow(client, time);
    const resetIn = window.endsAt - time;
    if (window.used >= limit) return { admitted: false, remaining: 0, resetIn };
    window.used += 1;
    if (window.used === limit) {
      open.delete(client);
      exhausted.set(client, window);
    }
    return { admitted: true, remaining: limit - window.used, resetIn };
  };
};

const dropEnded = (windows: Map<string, Window>, time: number): void => {
  for (const [client, { endsAt }] of windows) {
    if (endsAt > time) return;
    windows.delete(client);
  }
};

const dropFirst = (windows: Map<string, Window>): void => {
  for (const client of windows.keys()) {
    windows.delete(client);
    return;
  }
};
