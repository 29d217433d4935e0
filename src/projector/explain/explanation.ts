import type { EntityKind } from "../../../projections/entities.ts";

/** Result of `explain`: the events that produced an entity's current values. Times are ISO 8601. */
export interface Explanation {
  /** `product/4711` */
  readonly entity: string;
  /** False when neither the model nor the log contains the entity. */
  readonly found: boolean;
  /** Log sequence up to which the model includes events; later ones are only counted. */
  readonly checkpoint: number;
  readonly log: {
    readonly address: string;
    /** Sequences of the oldest and the newest event in the log. */
    readonly first: number;
    readonly last: number;
  };
  readonly groups: readonly ExplainedGroup[];
  /** Events that became dead letters, newest first. */
  readonly refused: { readonly count: number; readonly newest: readonly RejectedEvent[] };
  /** Number of the entity's events after the checkpoint. */
  readonly waiting: number;
  /** Reasons why the explanation may be incomplete. */
  readonly notes: readonly string[];
}

/** The groups of a product and of a variant, and every entity that is one group. */
export type GroupName = Exclude<EntityKind, "product"> | ("core" | "text" | "variants" | "entry");

/** One field group, in which the event with the newest version wins. */
export interface ExplainedGroup {
  readonly name: GroupName;
  /** State in the model: `unknown` when no event has set the group. */
  readonly state: "present" | "deleted" | "unknown";
  /** Fields as the model holds them, long values truncated. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The event that wrote the group; null when there is none or it cannot be determined. */
  readonly writtenBy: EventRef | null;
  /**
   * Result of comparing the model's row with a replay from the log. `agrees`: same row. `missing`: the log no longer
   * holds the event that wrote the row. `incomplete`: the log begins too late to decide. `differs`: another row.
   */
  readonly agreement: "agrees" | "missing" | "incomplete" | "differs";
  readonly counts: Readonly<Record<EffectOutcome, number>>;
  /** The latest events in the log, newest first; `counts` includes all events. */
  readonly effects: readonly EventEffect[];
}

/**
 * Outcome of one event in one field group. `superseded`: a price was stored, but a newer price of the other source
 * (product or price event) remains in effect · `waiting`: a patch is queued until its product arrives · `stale`: a late
 * event was ignored · `repeated`: a duplicate was ignored.
 */
export type EffectOutcome = "applied" | "superseded" | "waiting" | "stale" | "repeated";

export interface EventRef {
  /** Log sequence; null when the log does not hold the event. */
  readonly sequence: number | null;
  readonly id: string;
  readonly time: string;
  /** The shop's own version of the entity. */
  readonly version: string | null;
}

export interface EventEffect extends EventRef {
  readonly sequence: number;
  readonly logTime: string;
  readonly type: string;
  readonly outcome: EffectOutcome;
  /** Fields changed by an applied event; empty when it repeated the current values. */
  readonly changes: readonly FieldChange[];
  /** For a superseded, stale or repeated event: the event that had written the group before. */
  readonly against: EventRef | null;
}

/** A field's value before and after an event, long values truncated; null when it was absent. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface RejectedEvent {
  readonly sequence: number;
  readonly logTime: string;
  readonly subject: string;
  readonly code: string;
  readonly field: string | null;
  readonly reason: string;
}
