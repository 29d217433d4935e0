import { firstTextId } from "../../connectors/ids.ts";
import { readPublished, requireMeta } from "./inbox.ts";
import { withTables } from "./operate.ts";
import { type ConnectionTables, type CountRow, eventsKey, splitCountKey } from "./tables.ts";

/** Deliveries of a topic by outcome. */
export interface TopicCounts {
  readonly topic: string;
  readonly translated: number;
  readonly ignored: number;
  readonly refused: number;
  /** Time of the newest one's translation. */
  readonly lastAt: string;
}

/** What a connection has taken and published, for its operator. */
export interface ConnectionSummary {
  readonly topics: readonly TopicCounts[];
  /** Events that deliveries became. */
  readonly events: number;
  /** Refused deliveries that are neither retried nor discarded. */
  readonly refused: number;
  readonly leftOut: readonly { readonly member: string; readonly count: number }[];
  /** Deliveries that are not translated yet. */
  readonly waiting: { readonly deliveries: number; readonly bytes: number };
  /** Those that are not deleted. `text`: all have ids of texts, such as those of a file. */
  readonly products: "none" | "text" | "own";
  /** Whether stock of anything was published. */
  readonly hasStock: boolean;
}

/** Summarizes a connection, also while a gateway runs. @throws the error of LMDB when it has no inbox */
export const summarizeConnection = (
  dataDir: string,
  connection: string,
): Promise<ConnectionSummary> =>
  withTables(dataDir, connection, true, (tables) => {
    const counts = [...tables.counts.getRange()].map(({ key, value }) => {
      const [name, outcome] = splitCountKey(key);
      return { key, name, outcome, ...value };
    });
    const { last, position, waitingBytes } = requireMeta(tables);
    return {
      topics: toTopics(
        counts.filter(({ key, outcome }) => key !== eventsKey && outcome !== leftOut),
      ),
      events: tables.counts.get(eventsKey)?.count ?? 0,
      refused: tables.refused.getCount(),
      leftOut: counts
        .filter(({ outcome }) => outcome === leftOut)
        .map(({ name: member, count }) => ({ member, count })),
      waiting: { deliveries: last - position, bytes: waitingBytes },
      products: findProducts(tables),
      hasStock: readPublished(tables, "stock/").next().done !== true,
    };
  });

const leftOut = "left_out";

type NamedCount = CountRow & { readonly name: string; readonly outcome: string };

const toTopics = (counts: readonly NamedCount[]): readonly TopicCounts[] =>
  [...new Set(counts.map(({ name }) => name))].map((topic) => {
    const own = counts.filter(({ name }) => name === topic);
    const countOf = (outcome: string) => own.find((row) => row.outcome === outcome)?.count ?? 0;
    return {
      topic,
      translated: countOf("translated"),
      ignored: countOf("ignored"),
      refused: countOf("refused"),
      lastAt: own.reduce((last, { lastAt }) => (lastAt > last ? lastAt : last), ""),
    };
  });

const findProducts = (tables: ConnectionTables): ConnectionSummary["products"] => {
  let found: ConnectionSummary["products"] = "none";
  for (const [subject, { isDeleted }] of readPublished(tables, "product/")) {
    if (isDeleted) continue;
    if (Number(subject.slice("product/".length)) < firstTextId) return "own";
    found = "text";
  }
  return found;
};
