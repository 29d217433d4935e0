/** A warning about an event that breaks no rule. */
export interface LintWarning {
  readonly field: string;
  readonly reason: string;
}

export interface LintWarningLine extends LintWarning {
  readonly line: number;
}
