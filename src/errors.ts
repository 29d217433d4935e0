/** Every way Vitrine refuses, with the exit code a command ends with. */
export const exitCodes = {
  /** A command, flag or setting that cannot be used as given. */
  usage: 2,
  /** An event file, or one of its lines, breaks the contract. */
  invalid_events: 1,
  /** What was asked for by its name is not there. */
  unknown: 1,
  /** The data directory cannot be written, is not Vitrine's, or has another writer. */
  data_dir: 3,
  /** The file of a generation is not what was written to it. */
  damaged: 3,
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
    ? new VitrineError("data_dir", messageOf(thrown), "make room on the disk", thrown)
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
