/** Makes the outputs of two runs comparable: replaces everything that differs from run to run. */

/** Patterns with the words that stand for their matches, applied one after the other. */
const variable: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*Z/g, "TIME"],
  [/\bjournal-[\da-f]{8}\b/g, "JOURNAL"],
  [/\b[\d,]+ events? a second/g, "RATE"],
  [/\b\d+(\.\d+)? (ms|s|min|h)(?![\w-])/g, "DURATION"],
  [/\b\d+ seconds?\b/g, "DURATION"],
  [/\b\d+(\.\d+)? (B|kB|MB|GB|TB)\b/g, "SIZE"],
  // Versions of the program change the numbers of tables and rows.
  [/\b\d+ tables, \d+ rows\b/g, "TABLES"],
  [/\b\d+ tables of \d+\b/g, "TABLES"],
  [/\bprocess \d+/g, "process ID"],
  [/ +/g, " "],
  [/ $/gm, ""],
];

/** @param numbersVary true for an output whose numbers are those of the machine or of the moment */
export const comparable = (output: string, numbersVary = false): string => {
  const replaced = variable.reduce(
    (text, [pattern, word]) => text.replaceAll(pattern, word),
    output,
  );
  return numbersVary
    ? replaced.replaceAll(/-?\d[\d.:,%KMGT]*/g, "N").replaceAll(/-{2,}/g, "-")
    : replaced;
};

/** Text of an output that the page does not show, with the text that it shows. */
export type Substitution = readonly [actual: string, shown: string];

/** Replaces the directories and ports of a drill with those of an installation, and tokens with dots. */
export const toShown = (output: string, substitutions: readonly Substitution[]): string =>
  substitutions
    .reduce((text, [actual, shown]) => text.replaceAll(actual, shown), output)
    .replaceAll(/vit_[\w-]{8,}\.[\w-]{20,}/g, "vit_...");
