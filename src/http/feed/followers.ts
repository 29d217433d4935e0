import type { Logger } from "../../log.ts";
import type { CurrentReader } from "../../read-model/reader/reader.ts";
import { type CommitTimer, commitIntervalMs } from "./commit-timer.ts";
import { createDelivery } from "./delivery.ts";
import type { Follower } from "./follower.ts";

/** The followers of a process. */
export interface Followers {
  /** @returns false when the client, or the process, has as many as it may have */
  hasRoom(client: string): boolean;
  join(follower: Follower): void;
  leave(follower: Follower): void;
  /** Goes on with a follower that took no more. */
  resume(follower: Follower): void;
}

export interface FollowersDeps {
  readonly reader: CurrentReader;
  readonly timer: CommitTimer;
  /** Most followers of the process. */
  readonly maxFollowers: number;
  readonly log: Pick<Logger, "error">;
}

/** Milliseconds in which each follower is checked, some at a time: all at once would delay other answers. */
const checkMs = 2_000;
const retryMs = 1_000;
const maxPerClient = 20;

/** Serves and checks the followers of a process whenever the timer runs. */
export const createFollowers = (deps: FollowersDeps): Followers => {
  const { reader: current, timer, maxFollowers, log } = deps;
  const counts = new Map<string, number>();
  const all = new Set<Follower>();
  const delivery = createDelivery(all);
  let unchecked = all.values();
  let retryAt = 0;
  const count = (client: string, change: 1 | -1): void => {
    const number = (counts.get(client) ?? 0) + change;
    if (number > 0) counts.set(client, number);
    else counts.delete(client);
  };
  const checkSome = (now: number): void => {
    for (let left = Math.ceil((all.size * commitIntervalMs) / checkMs); left > 0; left -= 1) {
      const { value: follower } = unchecked.next();
      if (!follower) unchecked = all.values();
      follower?.check(now);
    }
  };
  const run = (): void => {
    const now = performance.now();
    try {
      checkSome(now);
      const reader = current();
      const position = reader?.position();
      if (reader && position && now >= retryAt) delivery.run(reader, position);
    } catch (err) {
      log.error({ err }, "followers of the change feed wait, because the model cannot be read");
      retryAt = now + retryMs;
    }
  };
  return {
    hasRoom: (client) => all.size < maxFollowers && (counts.get(client) ?? 0) < maxPerClient,
    join(follower) {
      count(follower.client, 1);
      all.add(follower);
      delivery.join(follower);
      timer.start(run);
    },
    leave(follower) {
      if (!all.delete(follower)) return;
      count(follower.client, -1);
      delivery.leave(follower);
      if (all.size === 0) timer.stop(run);
    },
    resume: delivery.resume,
  };
};
