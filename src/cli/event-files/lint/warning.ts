/** A warning about an event that breaks no rule. */
export interface LintWarning {
  readonly field: string;
  readonly reason: string;
}

/** A warning with the number of its line. */
export interface LintWarningLine extends LintWarning {
  readonly line: number;
}
