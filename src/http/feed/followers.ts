import type { Logger } from "../../log.ts";
import type { Position } from "../../read-model/reader/feed/position.ts";
import type { CurrentReader, Reader, Snapshot } from "../../read-model/reader/reader.ts";
import { type ChangesPage, readPage } from "../../surfaces/feed/page.ts";
import { type ChangesRequest, type FeedPosition, formatNext } from "../../surfaces/feed/request.ts";

/** A client that waits for changes: a stream, or a request with `wait`. */
export interface Follower {
  /** Client that it is counted for. */
  readonly client: string;
  readonly epoch: string;
  /** What it gets next. The followers move it on. */
  next: ChangesRequest;
  /** Takes a page, which may be empty. @returns false when it takes no more until `resume` */
  take(page: SharedPage): boolean;
  /** Ends it: the service has another epoch now. */
  startOver(position: Position): void;
  /** Runs at least once in 2 seconds. @param now on the clock of `performance` */
  check(now: number): void;
}

/** A page that all followers with the same `next` get, with one message for them. */
export interface SharedPage extends ChangesPage {
  readonly of: Position;
  /** Message of the page, made once. */
  message?: Buffer;
}

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
  /** Most followers of the process. */
  readonly maxFollowers: number;
  readonly log: Pick<Logger, "error">;
}

/** Milliseconds between two looks at the newest commit, and of work in one slice: a fifth of the time. */
const [intervalMs, sliceMs] = [20, 4];
/** Milliseconds in which each follower is checked, some at a time: all at once would delay other answers. */
const checkMs = 2_000;
const retryMs = 1_000;
const maxPerClient = 20;
/** Pages that are kept for followers with the same `next`, until a commit. */
const maxPages = 16;

/** Serves the followers of a process, by one timer, which runs while there are any. */
export const createFollowers = ({
  reader: current,
  maxFollowers,
  log,
}: FollowersDeps): Followers => {
  const counts = new Map<string, number>();
  const all = new Set<Follower>();
  const full = new Set<Follower>();
  /** Followers to serve; those that walk come last, because their pages are full. */
  const [pending, walking] = [new Set<Follower>(), new Set<Follower>()];
  const pages = new Map<string, SharedPage>();
  let newest: { readonly position: Position | undefined; readonly edge: number };
  newest = { position: undefined, edge: 0 };
  let resumeAt = 0;
  let unchecked = all.values();
  let timer: NodeJS.Timeout | undefined;
  const enqueue = (follower: Follower): void =>
    void (follower.next.walk ? walking : pending).add(follower);
  const dequeue = (follower: Follower): void => {
    for (const queue of [pending, walking]) queue.delete(follower);
  };
  const readShared = (reader: Reader, epoch: string, request: ChangesRequest): SharedPage => {
    const key = formatNext(epoch, request);
    const kept = pages.get(key);
    if (kept) return kept;
    const shared = readSharedPage(reader, () => request);
    if (pages.size >= maxPages) pages.clear();
    pages.set(key, shared);
    return shared;
  };
  const serve = (reader: Reader, position: Position, follower: Follower): void => {
    // Behind the others, for a page that cannot be read.
    dequeue(follower);
    enqueue(follower);
    const isOther = follower.epoch !== position.epoch;
    const isReached = requiredOf(follower.next).sequence <= position.sequence;
    const page = !isOther && isReached && readShared(reader, follower.epoch, follower.next);
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
  const checkSome = (now: number): void => {
    for (let left = Math.ceil((all.size * intervalMs) / checkMs); left > 0; left -= 1) {
      const { value: follower } = unchecked.next();
      if (!follower) unchecked = all.values();
      follower?.check(now);
    }
  };
  const run = (): void => {
    try {
      runSlice();
    } catch (err) {
      log.error({ err }, "followers of the change feed wait, because the model cannot be read");
      resumeAt = performance.now() + retryMs;
    }
  };
  const runSlice = (): void => {
    const startedAt = performance.now();
    checkSome(startedAt);
    const reader = current();
    const position = reader?.position();
    if (!reader || !position || startedAt < resumeAt) return;
    refresh(reader, position);
    for (const follower of [...pending, ...walking]) {
      serve(reader, position, follower);
      if (performance.now() - startedAt > sliceMs) break;
    }
    resumeAt = performance.now() + (performance.now() - startedAt) * (intervalMs / sliceMs - 1);
  };
  return {
    hasRoom: (client) => all.size < maxFollowers && (counts.get(client) ?? 0) < maxPerClient,
    join(follower) {
      counts.set(follower.client, (counts.get(follower.client) ?? 0) + 1);
      all.add(follower);
      enqueue(follower);
      timer ??= setInterval(run, intervalMs);
    },
    leave(follower) {
      if (!all.has(follower)) return;
      const count = counts.get(follower.client) ?? 1;
      if (count > 1) counts.set(follower.client, count - 1);
      else counts.delete(follower.client);
      for (const set of [all, full, pending, walking]) set.delete(follower);
      if (all.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
    resume(follower) {
      if (full.delete(follower)) enqueue(follower);
    },
  };
};

/** Reads a page in a snapshot of its own. */
export const readSharedPage = (
  reader: Reader,
  toRequest: (snapshot: Snapshot, position: Position) => ChangesRequest,
): SharedPage =>
  reader.snapshot((snapshot, check) => {
    const of = check?.position;
    if (!of) throw new Error("a model without a position has no feed");
    return { of, ...readPage(snapshot, of, toRequest(snapshot, of)) };
  });

/** Returns what a model must have reached to answer. */
export const requiredOf = ({ since, walk }: ChangesRequest): FeedPosition =>
  walk && walk.sequence > since.sequence ? walk : since;
