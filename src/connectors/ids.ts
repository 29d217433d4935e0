import { hash } from "node:crypto";
import { readText } from "./members.ts";

/** An id of the contract, with the platform's own where that is no small integer. */
export interface EntityId {
  readonly id: number;
  readonly externalId?: string;
}

/** Ids from here on stand for texts. */
export const firstTextId = 2 ** 52;

/**
 * Converts an id of a platform (Contract 10, Ids): an integer below 2^52 is the id, any other is hashed to 52 bits above it.
 * The ranges never meet, and one text has one id on every machine.
 * @param kind `product`, `variant`, `category`: equal texts of two kinds have different ids
 * @returns undefined for anything but a text or a number
 */
export const toEntityId = (kind: string, value: unknown): EntityId | undefined => {
  const text = readText(value);
  if (text === undefined) return undefined;
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : firstTextId;
  return id < firstTextId ? { id } : { id: hashText(kind, text), externalId: text };
};

const hashText = (kind: string, text: string): number => {
  const digest = hash("sha256", `${kind}\0${text}`, "hex");
  return firstTextId + Number.parseInt(digest.slice(0, 13), 16);
};
