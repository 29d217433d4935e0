import type { Position } from "../../read-model/reader/feed/position.ts";
import type { Reader, Snapshot } from "../../read-model/reader/reader.ts";
import { type ChangesPage, readPage } from "../../surfaces/feed/page.ts";
import type { ChangesRequest, FeedPosition } from "../../surfaces/feed/request.ts";

/** A client that waits for changes: a stream, or a request with `wait`. */
export interface Follower {
  /** Client that it is counted for. */
  readonly client: string;
  readonly epoch: string;
  /** What it gets next. Its delivery moves it on. */
  next: ChangesRequest;
  /** Takes a page, which may be empty. @returns false when it takes no more until it is resumed */
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
export const requiredOf = ({
  since,
  walk,
}: Pick<ChangesRequest, "since" | "walk">): FeedPosition =>
  walk && walk.sequence > since.sequence ? walk : since;
