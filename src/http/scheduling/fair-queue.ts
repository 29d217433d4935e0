/** Creates a round-robin queue: one item per client in turn, the oldest of each client first. */
export const createFairQueue = <T>() => {
  const byClient = new Map<string, T[]>();
  let count = 0;
  return {
    count: () => count,
    add(client: string, item: T): void {
      const items = byClient.get(client);
      if (items) items.push(item);
      else byClient.set(client, [item]);
      count += 1;
    },
    take(): T | undefined {
      for (const [client, items] of byClient) {
        const item = items.shift();
        byClient.delete(client);
        if (items.length > 0) byClient.set(client, items);
        count -= 1;
        return item;
      }
      return undefined;
    },
  };
};
