import { type LintWarning, openLintModel } from "../../../src/cli/event-files/lint/model.ts";
import { createLinter } from "../../../src/cli/event-files/lint/warnings.ts";
import { decode } from "../../../src/events/decode.ts";
import type { CloudEvent } from "../../../src/events/envelope.ts";
import { recordOf } from "../../helpers/events.ts";

/** Lints the events of one file. @param model of the files before it */
export const warningsOf = (
  events: readonly CloudEvent[],
  model = openLintModel(),
): readonly LintWarning[] => {
  const linter = createLinter(Date.UTC(2027, 0, 1), model);
  const warnings = events.flatMap((event, at) => {
    const decoded = decode(recordOf(event, at + 1));
    if (!decoded.ok) throw new Error(decoded.rejection.reason);
    return linter.check(decoded.event);
  });
  return [...warnings, ...linter.finish()];
};

/** Lists the line and field of each warning. */
export const positionsOf = (
  events: readonly CloudEvent[],
): readonly (readonly [number, string])[] =>
  warningsOf(events).map(({ line, field }) => [line, field]);

export const eur = (amount: string) => ({ amount, currency: "EUR" });
