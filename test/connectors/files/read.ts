import type { FileContext, FileItem, ReadItems } from "../../../src/connectors/files/items.ts";

const context: FileContext = { taken: "2026-11-01T12:00:00.000Z", columns: new Map() };

/** Reads a text in chunks of some bytes. */
export async function* inChunks(text: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Reads all items of a file. */
export const readAll = async (
  read: ReadItems,
  text: string | Uint8Array,
  options: Partial<FileContext> & { readonly size?: number } = {},
): Promise<readonly FileItem[]> => {
  const items: FileItem[] = [];
  const { size, ...members } = options;
  for await (const item of read(inChunks(text, size), { ...context, ...members })) items.push(item);
  return items;
};
