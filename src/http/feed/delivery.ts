import type { Position } from "../../read-model/reader/feed/position.ts";
import type { Reader } from "../../read-model/reader/reader.ts";
import { formatNext } from "../../surfaces/feed/request.ts";
import { commitIntervalMs } from "./commit-timer.ts";
import { type Follower, readSharedPage, requiredOf, type SharedPage } from "./follower.ts";

/** Hands followers their pages. */
export interface Delivery {
  join(follower: Follower): void;
  leave(follower: Follower): void;
  /** Goes on with a follower that took no more. */
  resume(follower: Follower): void;
  /** Works for one slice. @throws when the model cannot be read: the follower that was next comes last then */
  run(reader: Reader, position: Position): void;
}

/** Milliseconds of work in one slice: a fifth of the time. */
const sliceMs = 4;

/** Creates the delivery to the followers of a process. @param all those that have joined */
export const createDelivery = (all: ReadonlySet<Follower>): Delivery => {
  const full = new Set<Follower>();
  /** Followers to serve; those that walk come last, because their pages are full. */
  const [pending, walking] = [new Set<Follower>(), new Set<Follower>()];
  const pages = createSharedPages();
  let newest: { readonly position: Position | undefined; readonly edge: number };
  newest = { position: undefined, edge: 0 };
  let resumeAt = 0;
  const enqueue = (follower: Follower): void =>
    void (follower.next.walk ? walking : pending).add(follower);
  const dequeue = (follower: Follower): void => {
    for (const queue of [pending, walking]) queue.delete(follower);
  };
  const serve = (reader: Reader, position: Position, follower: Follower): void => {
    // Behind the others, for a page that cannot be read.
    dequeue(follower);
    enqueue(follower);
    const isOther = follower.epoch !== position.epoch;
    const isReached = requiredOf(follower.next).sequence <= position.sequence;
    const page = !isOther && isReached && pages.read(reader, follower);
    dequeue(follower);
    if (isOther) follower.startOver(position);
    // A position that is ahead waits.
    else if (page) send(follower, page);
  };
  const send = (follower: Follower, page: SharedPage): void => {
    follower.next = page.next;
    if (!follower.take(page)) full.add(follower);
    else if (page.position === null && all.has(follower)) enqueue(follower);
  };
  const refresh = (reader: Reader, position: Position): void => {
    const now = reader.snapshot((snapshot) => snapshot.instant());
    // Each commit has a position object of its own.
    if (position === newest.position && now < newest.edge) return;
    const edge = reader.snapshot((snapshot) => snapshot.nextOfferChange(now));
    newest = { position, edge };
    pages.clear();
    for (const follower of all) if (!full.has(follower)) enqueue(follower);
  };
  return {
    join: enqueue,
    leave(follower) {
      full.delete(follower);
      dequeue(follower);
    },
    resume(follower) {
      if (full.delete(follower)) enqueue(follower);
    },
    run(reader, position) {
      const startedAt = performance.now();
      if (startedAt < resumeAt) return;
      refresh(reader, position);
      for (const follower of [...pending, ...walking]) {
        serve(reader, position, follower);
        if (performance.now() - startedAt > sliceMs) break;
      }
      const endedAt = performance.now();
      resumeAt = endedAt + (endedAt - startedAt) * (commitIntervalMs / sliceMs - 1);
    },
  };
};

/** Pages that are kept for followers with the same `next`, until a commit. */
const maxPages = 16;

const createSharedPages = () => {
  const pages = new Map<string, SharedPage>();
  return {
    read(reader: Reader, { epoch, next }: Follower): SharedPage {
      const key = formatNext(epoch, next);
      const kept = pages.get(key);
      if (kept) return kept;
      const page = readSharedPage(reader, () => next);
      if (pages.size >= maxPages) pages.clear();
      pages.set(key, page);
      return page;
    },
    clear: () => pages.clear(),
  };
};
