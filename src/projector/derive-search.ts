import { deriveIdentifiers, deriveWords } from "../../projections/search.ts";
import type { ProductDocument } from "../read-model/documents.ts";
import { type Stemmer, stemmerOf } from "../read-model/search/stemmer.ts";
import type { WritableTables } from "../read-model/store.ts";
import { tables } from "../read-model/tables.ts";
import type { Batch } from "./batch.ts";
import { replaceMembers } from "./sets.ts";

type Visible = ProductDocument | undefined;

const searched = ["name", "brand", "reference", "gtin", "description"] as const;

/** The stemmer of the shop's language after the batch, and whether the batch changed it. */
export const stemmerOfBatch = (
  batch: Batch,
): { readonly stemmer: Stemmer; readonly changed: boolean } => {
  const language = batch.settings.get("settings")?.content?.language;
  const before = batch.settings.before("settings")?.content?.language;
  return { stemmer: stemmerOf(language), changed: (language ?? "en") !== (before ?? "en") };
};

/** The words and identifiers of one product, rewritten only when a text that is searched changed. */
export const keepSearch = (
  stored: WritableTables,
  id: number,
  before: Visible,
  after: Visible,
  stemmer: Stemmer,
): void => {
  if (before && after && searched.every((field) => before[field] === after[field])) return;
  keepWords(stored, id, after, stemmer);
  const [gone, come] = replaceMembers(deriveIdentifiers(before), deriveIdentifiers(after));
  for (const identifier of gone) stored.remove(tables.identifiers, [identifier, id]);
  for (const identifier of come) stored.put(tables.identifiers, [identifier, id], true);
};

/** Every visible product anew: its stems are those of another language now. */
export const reindex = (stored: WritableTables, stemmer: Stemmer): void => {
  for (const id of [...stored.keys(tables.products)]) {
    keepWords(stored, id, stored.get(tables.products, id), stemmer);
  }
};

const keepWords = (
  stored: WritableTables,
  id: number,
  product: Visible,
  stemmer: Stemmer,
): void => {
  const told = Object.entries(product ? deriveWords(product, stemmer) : {});
  const known = new Map(Object.entries(stored.get(tables.productWords, id) ?? {}));
  for (const [word, weight] of told) {
    if (known.get(word) === weight) known.delete(word);
    else stored.put(tables.words, [word, id, weight], true);
  }
  for (const [word, weight] of known) stored.remove(tables.words, [word, id, weight]);
  if (product) stored.put(tables.productWords, id, Object.fromEntries(told));
  else stored.remove(tables.productWords, id);
};
