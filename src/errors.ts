/** The error codes, each with the exit code of a command that fails with it. */
export const exitCodeByErrorCode = {
  /** A command, flag or setting cannot be used as given. */
  usage: 2,
  /** An event file, or one of its lines, breaks the contract. */
  invalid_events: 1,
  /** The named thing does not exist. */
  unknown: 1,
  /** A directory has another purpose than its setting says, another layout, or is frozen. */
  data_dir: 3,
  /** Another process writes to the data directory, or took over its lock. */
  locked: 3,
  /** A file cannot be opened, read or written: the user lacks the right, or the disk or the system fails. */
  not_writable: 3,
  /** The disk, a quota or a limit is full. */
  disk_full: 3,
  /** The read model, or a generation of the requested kind, does not exist. */
  no_model: 3,
  /** Projections of other versions, or a Node with other text data, built the model. */
  outdated: 3,
  /** The file of a generation is corrupt. */
  model_damaged: 3,
  log_damaged: 3,
  operator_state_damaged: 3,
  backup_damaged: 3,
  /** Two generations could not be compared, for a reason that concerns neither. */
  comparison_unavailable: 3,
  /** Another process of the service did not take a request, or did not finish it. */
  unanswered: 3,
  /** Another process must reopen the file of a generation before it can be written again. */
  reopen: 3,
  /** The event log is unreachable, or does not contain what was requested. */
  event_log: 4,
  /** The log no longer continues the model: it was trimmed, rolled back, recreated or rewritten. */
  divergence: 5,
  /** A projection threw: a bug of this program, never of an event. */
  projection: 6,
  /** A port cannot be listened on. */
  listen: 7,
  /** A bug of this program outside the projections; the log of the process has the details. */
  internal: 70,
} as const;

export type ErrorCode = keyof typeof exitCodeByErrorCode;

export const isErrorCode = (code: string): code is ErrorCode =>
  Object.hasOwn(exitCodeByErrorCode, code);

/** The only error class: `message` states the failure in one line, `hint` the remedy in another. */
export class VitrineError extends Error {
  readonly code: ErrorCode;
  /** What the operator can do; empty when the message is enough. */
  readonly hint: string;

  constructor(code: ErrorCode, message: string, hint = "", cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "VitrineError";
    this.code = code;
    this.hint = hint;
  }

  get exitCode(): number {
    return exitCodeByErrorCode[this.code];
  }
}

/** Detects a failed write for which a disk, a quota or a limit has no room. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  ["ENOSPC", "EDQUOT", "EFBIG"].includes(String(error.code));

/**
 * Maps a full disk, which any write can meet, to `disk_full`.
 * @returns any other error as it is
 */
export const mapDiskFull = (thrown: unknown): unknown =>
  isDiskFull(thrown)
    ? new VitrineError("disk_full", messageOf(thrown), "make room on the disk", thrown)
    : thrown;

/** Detects errors that the JavaScript engine throws: a bug, which the next try meets again. */
export const isBug = (thrown: unknown): boolean =>
  thrown instanceof TypeError ||
  thrown instanceof RangeError ||
  thrown instanceof ReferenceError ||
  thrown instanceof SyntaxError;

/**
 * Ignores an error unless it is a bug, which no retry ends.
 * @throws the bug
 */
export const ignoreUnlessBug = (thrown: unknown): undefined => {
  if (isBug(thrown)) throw thrown;
};

/** Returns the message of anything that was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
