/** Limits of a chunk: messages, and bytes of their bodies. */
export interface ChunkLimit {
  readonly count: number;
  readonly bytes: number;
}

/** Limit of a chunk of records. A record over `bytes` forms a chunk of its own. */
export const chunkLimit: ChunkLimit = { count: 1000, bytes: 4 * 1024 * 1024 };

/** Splits messages into chunks within `limit`, in order. A message over `limit.bytes` forms a chunk of its own. */
export function* splitIntoChunks<M extends { readonly body: Uint8Array }>(
  messages: readonly M[],
  limit: ChunkLimit,
): Generator<readonly M[]> {
  let start = 0;
  let bytes = 0;
  for (const [at, message] of messages.entries()) {
    const isFull = at - start === limit.count || bytes + message.body.length > limit.bytes;
    if (isFull && at > start) {
      yield messages.slice(start, at);
      start = at;
      bytes = 0;
    }
    bytes += message.body.length;
  }
  if (start < messages.length) yield messages.slice(start);
}
