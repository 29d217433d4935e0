export type ExitReason =
  | { readonly kind: "exit"; readonly code: number | null }
  | {
      readonly kind: "signal";
      readonly signal: NodeJS.Signals;
      /** The process ran out of memory, which ends it by the same signals as a corrupt file. */
      readonly outOfMemory: boolean;
    }
  /** It could not be started. */
  | { readonly kind: "spawn"; readonly error: unknown };

/**
 * Builds the exit reason from the arguments of the events `exit` and `close`.
 * @param stderr last output of the process; empty when it is not piped
 */
export const toExitReason = (
  code: number | null,
  signal: NodeJS.Signals | null,
  stderr = "",
): ExitReason =>
  signal === null
    ? { kind: "exit", code }
    : { kind: "signal", signal, outOfMemory: isOutOfMemoryOutput(stderr) };

/** Detects the messages of V8 and the C++ library about missing memory. */
const isOutOfMemoryOutput = (stderr: string): boolean =>
  /process OOM|out of memory|bad_alloc/i.test(stderr);

/**
 * Signals by which a corrupt LMDB file ends its readers: missing pages, assertions, and the results of overwritten
 * memory, such as V8's own traps. Others, such as SIGKILL when memory is short, say nothing about the file.
 */
const corruptionSignals: ReadonlySet<NodeJS.Signals> = new Set([
  "SIGBUS",
  "SIGSEGV",
  "SIGABRT",
  "SIGTRAP",
  "SIGILL",
  "SIGFPE",
]);

/** Decides whether a corrupt file may have ended a process. */
export const isCorruptionExit = (reason: ExitReason): boolean =>
  reason.kind === "signal" && !reason.outOfMemory && corruptionSignals.has(reason.signal);

/** Formats an exit reason for logs and the status: `exit code 70`, `killed by SIGABRT, out of memory`. */
export const formatExit = (reason: ExitReason): string => {
  if (reason.kind === "exit") return `exit code ${reason.code}`;
  if (reason.kind === "spawn") return `it could not be started: ${reason.error}`;
  return `killed by ${reason.signal}${reason.outOfMemory ? ", out of memory" : ""}`;
};
