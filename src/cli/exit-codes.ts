/** Exit codes of all commands, with their meaning. */
export const exitCodeMeanings: readonly (readonly [code: number, meaning: string])[] = [
  [0, "done"],
  [
    1,
    "a check failed: a bad event file, a model that differs from its log or from an export, an unknown entity or dead letter, an event that is still rejected",
  ],
  [2, "a command, flag or setting that cannot be used"],
  [
    3,
    "the data directory, a backup, the running service or the output cannot be used; the message says which",
  ],
  [4, "the event log cannot be reached, or rejects events"],
  [
    5,
    "the log does not continue the model, or a rebuild would lose too much; status: no event is applied any more",
  ],
  [
    6,
    "a projection failed at an event, because of a bug; the projector waits for a version without that bug",
  ],
  [7, "a port cannot be listened on"],
  [70, "another bug"],
  [130, "interrupted by SIGINT; 143 by SIGTERM"],
];
