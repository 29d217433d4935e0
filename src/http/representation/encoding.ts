import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";

/** Sorted by preference: Brotli is smaller. */
const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

/** @returns undefined when the client accepts no encoding, or prefers none */
export const negotiateEncoding = (acceptEncoding: string): Encoding | undefined =>
  acceptEncoding === "" ? undefined : choices.memo(acceptEncoding).encoding;

/** Caches the choice by Accept-Encoding header, because clients send few different ones. */
const choices = new LRUCache<string, { readonly encoding: Encoding | undefined }>({
  max: 100,
  memoMethod: (acceptEncoding) => {
    const negotiator = new Negotiator({ headers: { "accept-encoding": acceptEncoding } });
    const best = negotiator.encoding([...encodings, "identity"], { preferred: [...encodings] });
    return { encoding: encodings.find((encoding) => encoding === best) };
  },
});
