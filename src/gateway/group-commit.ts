import type { Inbox, NewDelivery } from "./inbox/inbox.ts";

interface Waiting {
  readonly delivery: NewDelivery;
  readonly resolve: (arrival: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores the deliveries of concurrent requests in one transaction, because each is synced to the disk.
 * @param onStored called after each transaction
 */
export const createGroupCommit = (
  inbox: Pick<Inbox, "append">,
  onStored: () => void,
): ((delivery: NewDelivery) => Promise<number>) => {
  let waiting: Waiting[] = [];
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    try {
      const arrivals = inbox.append(batch.map(({ delivery }) => delivery));
      for (const [at, { resolve }] of batch.entries()) resolve(arrivals[at] ?? 0);
      onStored();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return (delivery) =>
    new Promise((resolve, reject) => {
      waiting.push({ delivery, resolve, reject });
      if (waiting.length === 1) setImmediate(flush);
    });
};
