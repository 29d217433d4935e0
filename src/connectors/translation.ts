import type { DraftEvent, StateChange, StateReader, Translated } from "./delivery.ts";
import type { EntityId } from "./ids.ts";

/** Rows that the state of every connection has. */
export interface SharedTables {
  /** Text of an id that stands for one, by `{kind}/{id}`. */
  readonly texts: string;
}

/** Collects what one delivery changes. Reads see its own changes. */
export interface Translation<Tables> extends StateReader<Tables> {
  put<T extends keyof Tables & string>(table: T, key: string, row: Tables[T] | undefined): void;
  add(event: DraftEvent): void;
  /** Counts a member that does not fit the contract. */
  leaveOut(member: string): void;
  /** Notes a subject that the body has, and that no event of it restates. */
  meet(subject: string): void;
  finish(): Translated;
}

export const openTranslation = <Tables>(state: StateReader<Tables>): Translation<Tables> => {
  const changes = new Map<string, StateChange>();
  const events: DraftEvent[] = [];
  const leftOut = new Map<string, number>();
  const met: string[] = [];
  return {
    get<T extends keyof Tables & string>(table: T, key: string) {
      const change = changes.get(`${table}/${key}`);
      // Invariant: `put` accepts only rows of the table.
      return change ? (change.row as Tables[T] | undefined) : state.get(table, key);
    },
    put: (table, key, row) => void changes.set(`${table}/${key}`, { table, key, row }),
    add: (event) => void events.push(event),
    leaveOut: (member) => void leftOut.set(member, 1 + (leftOut.get(member) ?? 0)),
    meet: (subject) => void met.push(subject),
    finish: () => ({ outcome: "translated", events, changes: [...changes.values()], leftOut, met }),
  };
};

/**
 * Reserves the number of a text for it.
 * @returns false when another text of this kind has the number
 */
export const reserveId = (
  translation: Translation<SharedTables>,
  kind: string,
  { id, externalId }: EntityId,
): boolean => {
  if (externalId === undefined) return true;
  const existing = translation.get("texts", `${kind}/${id}`);
  if (existing === undefined) translation.put("texts", `${kind}/${id}`, externalId);
  return existing === undefined || existing === externalId;
};
