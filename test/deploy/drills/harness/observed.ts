/** Compares what the runbook says with what a drill has observed. */
import { type Section, withoutCode } from "./page.ts";

/**
 * Lists the states, messages and metrics that a section and its symptoms quote, and that no observed text contains.
 * @param symptoms rows of the table of symptoms
 * @param texts logs, statuses, metrics and outputs of the drill
 */
export const notObserved = (
  section: Section,
  symptoms: readonly string[],
  texts: readonly string[],
): readonly string[] => {
  const prose = withoutCode(section.text);
  const rows = symptoms.join("\n");
  const all = texts.join("\n");
  const expected = [
    ...matches(/state `(\w+)`/g, `${prose}\n${rows}`).map(stateInMetrics),
    ...matches(/`([^`]+)`/g, prose).filter(isMessage),
    ...matches(/`([^`]+)`/g, rows).filter((text) => / |^SIG/.test(text)),
    ...matches(/(vitrine_[a-z_]+)/g, prose),
  ].map((text) => text.replaceAll(/\s+/g, " "));
  return [...new Set(expected)].filter((text) => !toPattern(text).test(all));
};

const matches = (pattern: RegExp, text: string): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found);

const stateInMetrics = (state: string): string => `vitrine_projector_state{state="${state}"} 1`;

/** Texts of three words and more, except commands, settings and parts of code. */
const isMessage = (text: string): boolean =>
  / \S+ /.test(text) && !/^(vitrine|GET|--)|==|\(/.test(text);

/** Dots stand for any text of a line. */
const toPattern = (message: string): RegExp =>
  new RegExp(message.split("…").map(escapePattern).join(".*"));

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
