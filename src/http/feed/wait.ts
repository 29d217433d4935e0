import type { Position } from "../../read-model/reader/feed/position.ts";
import { isDraining } from "../connection/responses.ts";
import type { Exchange } from "../exchange.ts";
import type { Follower, SharedPage } from "./follower.ts";
import type { Followers } from "./followers.ts";

/** How a wait ended: with a page, which may be empty, in another epoch, or without its client. */
type WaitResult =
  | { readonly page: SharedPage }
  | { readonly startOver: Position }
  | { readonly page: undefined };

/**
 * Waits as a follower until a page has changes.
 * @param first page without changes, which the wait goes on from
 */
export const waitForChanges = (
  { client, request, response }: Exchange,
  followers: Followers,
  first: SharedPage,
  seconds: number,
): Promise<WaitResult> => {
  let latest = first;
  const { promise, resolve } = withResolve<WaitResult>();
  const end = (result: WaitResult): void => {
    followers.leave(follower);
    clearTimeout(timer);
    response.off("close", close);
    resolve(result);
  };
  const close = (): void => end({ page: undefined });
  const timer = setTimeout(() => end({ page: latest }), seconds * 1_000);
  const follower: Follower = {
    ...{ client, epoch: first.of.epoch, next: first.next },
    take(page) {
      if (page.changes.length > 0) end({ page });
      else if (page.position !== null) latest = page;
      return true;
    },
    startOver: (position) => end({ startOver: position }),
    check() {
      if (isDraining(request.socket)) end({ page: latest });
    },
  };
  response.once("close", close);
  followers.join(follower);
  return promise;
};

const withResolve = <T>() => {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((complete) => {
    resolve = complete;
  });
  return { promise, resolve };
};
