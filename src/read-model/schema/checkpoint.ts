/** What the log held at a sequence: enough to notice that history was rewritten. */
export interface Fingerprint {
  readonly sequence: number;
  readonly subject: string;
  /** The log's own time, milliseconds since 1970. */
  readonly time: number;
  /** The message id the log deduplicates by; empty when it has none. */
  readonly id: string;
  /** SHA-256 of the message's bytes, base64url. */
  readonly sha256: string;
}

/** How many events met each end, since the generation began. */
export interface Tally {
  readonly applied: number;
  /** Late events that changed nothing. */
  readonly stale: number;
  /** The same event again under another sequence. */
  readonly repeated: number;
  /** Events that became dead letters. */
  readonly rejected: number;
}

/** Where a generation stands in its log; committed with the documents it describes (contract section 2). */
export interface Checkpoint {
  /** Log sequence of the last event folded; 0 before the first. */
  readonly sequence: number;
  /** The log's own time of that event, milliseconds since 1970; 0 before the first. */
  readonly logTime: number;
  /** Newest event time folded, milliseconds since 1970; 0 before the first. */
  readonly lastEventTime: number;
  /** The log this generation follows. */
  readonly identity: { readonly name: string; readonly created: string };
  /** The event at the checkpoint and a few before it, newest last. */
  readonly fingerprints: readonly Fingerprint[];
  readonly tally: Tally;
  /** How often dead letters were folded again, which changes the model at an unmoved sequence; absent for never. */
  readonly retries?: number;
  /** Versions of the projections that wrote this generation. */
  readonly projections: string;
  /** What texts were ordered, cut into words and stemmed by (`textData`); absent in those of before it was kept. */
  readonly textData?: string;
  /** In which form it was written (`layout`); absent in those of before there was a number. */
  readonly layout?: number;
}

/**
 * The form of stored rows, keys and indexes. It is raised with any change after which older rows would be read wrong:
 * agents are answered from no generation of another layout, even where that means from none until it is made anew.
 */
export const layout = 1;

/** An event that was refused, whole, with the reason. */
export interface DeadLetter {
  readonly sequence: number;
  readonly subject: string;
  /** Those that say how the body is to be read; the log's own are left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw bytes, base64. */
  readonly body: string;
  readonly code: string;
  readonly reason: string;
  /** Path of the member at fault, when one is. */
  readonly field: string | null;
}

/** That an operator has done with a dead letter: it is kept, and no longer counted as open. */
export interface Discard {
  /** Milliseconds since 1970. */
  readonly time: number;
}
