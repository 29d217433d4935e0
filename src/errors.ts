/** Every way Vitrine refuses, with the exit code a command ends with. */
export const exitCodes = {
  /** A command, flag or setting that cannot be used as given. */
  usage: 2,
  /** An event file, or one of its lines, breaks the contract. */
  invalid_events: 1,
  /** What was asked for by its name is not there. */
  unknown: 1,
  /** A directory cannot be used as what was named: it is not Vitrine's, has another layout, or stands still. */
  data_dir: 3,
  /** Another process writes to the data directory, or took its lock over. */
  locked: 3,
  /** A file cannot be opened, read or written: this user may not, or its disk or the system refuses. */
  not_writable: 3,
  /** A disk, a quota or a limit has no room. */
  disk_full: 3,
  /** There is no read model, or no generation, of the kind that was asked for. */
  no_model: 3,
  /** Other versions of the projections, or a Node with other text data, made the model. */
  outdated: 3,
  /** The file of a generation is not what was written to it. */
  model_damaged: 3,
  /** The journal is not what was written to it. */
  log_damaged: 3,
  /** The operator state is not what was written to it. */
  operator_state_damaged: 3,
  /** A backup is not what was written to it. */
  backup_damaged: 3,
  /** Two generations could not be compared, for want of something that says nothing of either. */
  comparison_unavailable: 3,
  /** Another process of the service did not take a request, or did not finish it. */
  unanswered: 3,
  /** The file of a generation can be written again once it is opened anew, by another process. */
  reopen: 3,
  /** The event log cannot be reached, or does not hold what was asked for. */
  event_log: 4,
  /** The log no longer continues the model: trimmed, rolled back, recreated or rewritten. */
  divergence: 5,
  /** A projection threw: a bug of ours, never of an event. */
  projection: 6,
  /** A port that cannot be listened on. */
  listen: 7,
  /** A bug of ours that is none of a projection: the log of the process that met it has it whole. */
  internal: 70,
} as const;

export type ErrorCode = keyof typeof exitCodes;

/** The one error class: what went wrong in one line, and the way out in another. */
export class VitrineError extends Error {
  readonly code: ErrorCode;
  /** What the reader can do about it; empty when the message says it all. */
  readonly hint: string;

  constructor(code: ErrorCode, message: string, hint = "", cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "VitrineError";
    this.code = code;
    this.hint = hint;
  }

  /** The process exit code that belongs to this kind of refusal. */
  get exitCode(): number {
    return exitCodes[this.code];
  }
}

/** True for what the system says of a write that a disk, a quota or a limit has no room for. */
export const isWantOfRoom = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  ["ENOSPC", "EDQUOT", "EFBIG"].includes(String(error.code));

/** What was thrown, as a refusal where it is no bug: want of room may show at any write. */
export const asRefusal = (thrown: unknown): unknown =>
  isWantOfRoom(thrown)
    ? new VitrineError("disk_full", messageOf(thrown), "make room on the disk", thrown)
    : thrown;

/** Whether the language itself threw: a fault of the program, which is the same at each try. */
export const isBug = (thrown: unknown): boolean =>
  thrown instanceof TypeError ||
  thrown instanceof RangeError ||
  thrown instanceof ReferenceError ||
  thrown instanceof SyntaxError;

/** Ignores what was thrown, unless it is a bug: that ends the work, as no waiting ends the bug. */
export const ignoreUnlessBug = (thrown: unknown): undefined => {
  if (isBug(thrown)) throw thrown;
};

/** The message of anything that was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
