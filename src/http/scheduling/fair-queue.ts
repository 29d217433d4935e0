/** Things of clients: of each the oldest first, and one of each before anybody's second. */
export const takeTurns = <T>() => {
  const byClient = new Map<string, T[]>();
  let count = 0;
  return {
    count: () => count,
    add(client: string, thing: T): void {
      const things = byClient.get(client);
      if (things) things.push(thing);
      else byClient.set(client, [thing]);
      count += 1;
    },
    take(): T | undefined {
      for (const [client, things] of byClient) {
        const thing = things.shift();
        byClient.delete(client);
        if (things.length > 0) byClient.set(client, things);
        count -= 1;
        return thing;
      }
      return undefined;
    },
  };
};
