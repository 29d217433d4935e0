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
  /** Any other bug of ours, as another process of the service met it: its log has it whole. */
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

/** The message of anything that was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
