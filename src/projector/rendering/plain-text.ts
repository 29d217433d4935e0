import { Parser } from "htmlparser2";
import { isInlineName } from "./tree.ts";

/** Maximum length of the plain text stored for one description, in UTF-16 units. */
const maxPlainTextChars = 20_000;

/**
 * Parses sanitised HTML into paragraphs of plain text.
 * Decodes entities, collapses white space and marks struck-out text.
 * @param html from `normaliseMarks`: no `<del>` contains a line break
 */
export const parseParagraphs = (html: string, strikeMark = "~~"): string[] => {
  const paragraphs: string[] = [];
  let paragraph = "";
  const endParagraph = (): void => {
    const text = paragraph.replace(/\s+/gu, " ").trim();
    if (text !== "") paragraphs.push(text);
    paragraph = "";
  };
  const readTag = (name: string): void => {
    if (!isInlineName(name)) endParagraph();
    else if (name === "del") paragraph += strikeMark;
  };
  const parser = new Parser(
    {
      onopentagname: readTag,
      onclosetag: readTag,
      ontext: (text) => {
        paragraph += text;
      },
      onend: endParagraph,
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return paragraphs;
};

/** Truncates text at a word and appends an ellipsis. @param maxLength in UTF-16 units */
export const truncate = (text: string, maxLength = maxPlainTextChars): string => {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength - 1);
  const space = cut.lastIndexOf(" ");
  return `${(space > maxLength / 2 ? cut.slice(0, space) : cut).toWellFormed()}…`;
};
