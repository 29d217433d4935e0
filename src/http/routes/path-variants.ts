import { decodeUnreserved, uppercaseEscapes } from "../normalize-url.ts";

export interface PathAndQuery {
  readonly path: string;
  readonly query: string;
}

export function* pathVariants({ path, query }: PathAndQuery): Generator<string> {
  const given = path + query;
  if (path !== "" && !path.endsWith("//")) yield given;
  const paths = [path, decodeReserved(path)].flatMap(withAndWithoutSlash);
  const variants = paths.flatMap((variant) =>
    encodings.map((encode) => encode(variant) + encode(query)),
  );
  for (const variant of new Set(variants)) if (variant !== given) yield variant;
}

/** Decodes what clients that are generated from the OpenAPI description encode in a path parameter, such as slashes. */
const decodeReserved = (path: string): string =>
  path.replace(/%(?:2[46BCF]|3[ABD]|40)/gi, decodeURIComponent);

const withAndWithoutSlash = (path: string): readonly string[] => {
  const toggled = path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
  return [path, toggled].filter((variant) => variant !== "" && !path.endsWith("//"));
};

const lowercaseEscapes = (text: string): string =>
  text.replace(/%[0-9A-F]{2}/gi, (hex) => hex.toLowerCase());

/** Decodes parentheses, which are encoded in Markdown links. */
const decodeParentheses = (text: string): string => text.replace(/%2[89]/g, decodeURIComponent);

const encodings = [
  (text: string) => text,
  decodeParentheses,
  uppercaseEscapes,
  lowercaseEscapes,
  decodeUnreserved,
];
