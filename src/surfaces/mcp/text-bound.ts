/** Maximum characters of the text of an answer (Contract §5). */
export const maxTextCharacters = 80_000;

/** Counts the first blocks of a list that fit into its room in a text: at least one. Other lines have the rest of the text. */
export const countFitting = (blocks: readonly string[], room = 60_000): number => {
  let characters = 0;
  const end = blocks.findIndex((block) => {
    characters += block.length + 1;
    return characters > room;
  });
  return end === -1 ? blocks.length : Math.max(end, 1);
};

/**
 * Cuts a text that is too long before a heading of its last three quarters; else near its end between paragraphs, lines or words.
 * @param rest line in place of what is cut
 * @param mark start of each line
 */
export const cutText = (text: string, maxLength: number, rest: string, mark = ""): string => {
  if (text.length <= maxLength) return text;
  const start = text.slice(0, Math.max(0, maxLength - rest.length - 2));
  const end = [`\n${mark}#`, `\n${mark}\n`, "\n", " "]
    .map((border) => start.lastIndexOf(border))
    .find((at, border) => at > start.length * (border === 0 ? 0.25 : 0.9));
  return `${start.slice(0, end).toWellFormed().trimEnd()}\n\n${rest}`;
};

/** Writes the text of any answer as JSON, cut where it is too long. */
export const writeText = (text: string): string => {
  const json = JSON.stringify(text);
  return json.length <= maxTextCharacters
    ? json
    : JSON.stringify(cutText(text, maxTextCharacters, textEnd));
};

const textEnd = "The text ends here: structuredContent has the rest.";

/** Start of each line that the merchant wrote, so that none passes for a line of the service. */
export const merchantMark = "> ";

export const markLines = (text: string): string => text.replace(/^/gm, merchantMark);
