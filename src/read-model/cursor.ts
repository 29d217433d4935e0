/** A place in a walk: after a product id, or after a rank and a product id. Positions, never offsets (section 4.1 rule 1). */
export type Position =
  | { readonly by: "id"; readonly id: number }
  | { readonly by: "rank"; readonly rank: number; readonly id: number };

const pattern = /^1:(?:i:(\d{1,16})|r:(\d{1,9}):(\d{1,16}))$/;

/** The opaque form: base64url of a version, the kind of walk and the position. */
export const encodeCursor = (position: Position): string =>
  base64url(position.by === "id" ? `1:i:${position.id}` : `1:r:${position.rank}:${position.id}`);

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const shifts = [18, 12, 6, 0];

/** Of ASCII. A page has a hundred short ones, for which a Buffer each would cost more than all the rest. */
const base64url = (text: string): string => {
  let encoded = "";
  for (let at = 0; at < text.length; at += 3) {
    // Past the end there is nothing, which counts as 0.
    const bits =
      (text.charCodeAt(at) << 16) | (text.charCodeAt(at + 1) << 8) | text.charCodeAt(at + 2);
    for (const shift of shifts) encoded += alphabet[(bits >> shift) & 63];
  }
  return encoded.slice(0, Math.ceil((text.length * 4) / 3));
};

/** The position, or undefined when the text is no cursor of ours. */
export const decodeCursor = (cursor: string): Position | undefined => {
  if (cursor.length > 64 || !/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined;
  const match = pattern.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  if (!match) return undefined;
  const [, id, rank, rankedId] = match;
  return id === undefined
    ? { by: "rank", rank: Number(rank), id: Number(rankedId) }
    : { by: "id", id: Number(id) };
};
