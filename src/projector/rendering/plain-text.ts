import { Parser } from "htmlparser2";

/** Longest plain text kept of one description, in UTF-16 units. */
export const longestText = 20_000;

const breaking = new Set(
  "address article aside blockquote br caption dd div dl dt footer h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table td th tr ul".split(
    " ",
  ),
);

/**
 * The paragraphs of sanitised HTML as plain text, entities decoded, white space folded, struck-out text marked as in
 * Markdown.
 * @param html as `withMarkedText` leaves it: no `<del>` holds a block or another `<del>`
 */
export const paragraphsOf = (html: string): string[] => {
  const paragraphs: string[] = [];
  let open = "";
  /** Text of the `<del>` that is open. */
  let struck: string | undefined;
  const close = (): void => {
    const text = open.replace(/\s+/gu, " ").trim();
    if (text !== "") paragraphs.push(text);
    open = "";
  };
  const parser = new Parser(
    {
      onopentagname: (name) => {
        if (breaking.has(name)) close();
        else if (name === "del") struck = "";
      },
      onclosetag: (name) => {
        if (breaking.has(name)) close();
        else if (name === "del" && struck !== undefined) {
          open += markedStruck(struck);
          struck = undefined;
        }
      },
      ontext: (text) => {
        if (struck === undefined) open += text;
        else struck += text;
      },
      onend: close,
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return paragraphs;
};

/** Marks text as struck out; white space at its edges stays outside of the marks. */
const markedStruck = (text: string): string => {
  const inner = text.trim();
  if (inner === "") return text;
  return `${/^\s/.test(text) ? " " : ""}~~${inner}~~${/\s$/.test(text) ? " " : ""}`;
};

/** At most so many characters, cut at a word and marked with an ellipsis. */
export const shorten = (text: string, longest = longestText): string => {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest - 1);
  const space = cut.lastIndexOf(" ");
  return `${(space > longest / 2 ? cut.slice(0, space) : cut).toWellFormed()}…`;
};
