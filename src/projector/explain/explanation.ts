/** What `explain` tells of an entity: which events made it what it is. Times are ISO 8601. */
export interface Explanation {
  /** `product/4711` */
  readonly entity: string;
  /** False when neither the model nor the log tells anything of it. */
  readonly known: boolean;
  /** Log sequence the model includes; later events are only counted. */
  readonly checkpoint: number;
  readonly log: {
    readonly address: string;
    /** Sequences of the oldest and the newest event it holds. */
    readonly first: number;
    readonly last: number;
  };
  readonly groups: readonly ExplainedGroup[];
  /** Events that became dead letters, newest first. */
  readonly refused: { readonly count: number; readonly newest: readonly RefusedEvent[] };
  /** Events of it behind the checkpoint. */
  readonly waiting: number;
  /** What keeps this from being the whole truth. */
  readonly notes: readonly string[];
}

export type GroupName =
  | "core"
  | "price"
  | "stock"
  | "text"
  | "category"
  | "page"
  | "carrier"
  | "settings"
  | "robots"
  | "agent";

/** A field group: its events replace one another, newest wins. */
export interface ExplainedGroup {
  readonly name: GroupName;
  /** What the model holds: `unknown` when it was never told. */
  readonly state: "present" | "deleted" | "unknown";
  /** Members as the model holds them, long ones shortened. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The event that wrote it; null when it was never told, or when it cannot be known. */
  readonly writtenBy: Writer | null;
  /**
   * `agrees`: the log's events make what the model holds. `missing`: the log no longer holds the event that wrote
   * it. `incomplete`: the log begins too late to tell. `differs`: they make something else.
   */
  readonly agreement: "agrees" | "missing" | "incomplete" | "differs";
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Newest in the log first; fewer than were counted when there are many. */
  readonly tellings: readonly Telling[];
}

/**
 * `superseded`: a price that was taken while a newer one, of the other entity that tells prices, goes on counting ·
 * `waiting`: a patch that came before its product · `stale`: too late, and ignored · `repeated`: told before.
 */
export type Outcome = "applied" | "superseded" | "waiting" | "stale" | "repeated";

export interface Writer {
  /** Where it stands in the log; null when the log does not hold it. */
  readonly sequence: number | null;
  readonly id: string;
  readonly time: string;
  /** The shop's own version of the entity. */
  readonly version: string | null;
}

/** What one event told of one group. */
export interface Telling extends Writer {
  readonly sequence: number;
  /** When the log took it. */
  readonly logTime: string;
  readonly type: string;
  readonly outcome: Outcome;
  /** Of an applied one: empty when it told what was known already. */
  readonly changes: readonly Change[];
  /** Of a superseded, stale or repeated one: the event that had written the group by then. */
  readonly against: Writer | null;
}

/** A member before and after, long values shortened; null where there was none. */
export interface Change {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface RefusedEvent {
  readonly sequence: number;
  readonly logTime: string;
  readonly subject: string;
  readonly code: string;
  readonly field: string | null;
  readonly reason: string;
}
