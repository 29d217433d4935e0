import { formatCount, print, printError } from "../../terminal/output.ts";
import type { SecretInstallation } from "./install.ts";

/** Output of `--json`. */
export interface RestoreReport {
  readonly generation: string;
  /** The generation that was live until now; null when none was. */
  readonly previous: string | null;
  /** Log sequence that the model includes. */
  readonly sequence: number;
  /** Later events of the log, applied when the service starts. */
  readonly behind: number;
  /** True when the journal was restored too. */
  readonly journal: boolean;
  readonly tokenSecret: SecretInstallation;
  /** True when the next start rebuilds the model. */
  readonly isOutdated: boolean;
  readonly outdatedReason: string | null;
}

const secretNotes: Readonly<Record<SecretInstallation, string | undefined>> = {
  restored: "with the secret that signs tokens: tokens issued before work again",
  kept: undefined,
  differs:
    "the data directory keeps its own token secret: tokens signed with the secret of the backup do not work here",
  none: undefined,
};

export const showRestored = (report: RestoreReport, from: string): void => {
  const { generation, previous, sequence, behind, journal, tokenSecret } = report;
  print(`restored ${from} as generation ${generation}, at sequence ${sequence}`);
  if (journal) print("with the journal");
  if (previous)
    print(`generation ${previous}, which was live, is kept: vitrine rollback goes back`);
  const secret = secretNotes[tokenSecret];
  if (secret) printError(secret);
  if (report.outdatedReason !== null) {
    printError(`${report.outdatedReason}: vitrine serve rebuilds the model from the event log`);
  } else if (behind > 0) {
    printError(`the log holds ${formatCount(behind, "later event")}: vitrine serve applies them`);
  }
};
