import { entities } from "../../../projections/entities.ts";
import { type AssembledVariant, assembleVariants } from "../../../projections/variants.ts";
import type { PriceMembers } from "../../events/goods.ts";
import type { PriceTerms } from "../../offers/price.ts";
import type { EventVersion } from "../../read-model/schema/rows.ts";
import { tables } from "../../read-model/schema/tables.ts";
import {
  productOfKey,
  variantKey,
  variantKeys,
  variantOfKey,
} from "../../read-model/schema/variant-key.ts";
import type { ReadTables } from "../../read-model/store/store.ts";
import { absent, type EntityState, type SnapshotEntities } from "./entity-state.ts";

/**
 * Access to the variants of a model, as lists of products, events of variants and events of prices state them together: a snapshot
 * may state them in another way than the events of the model.
 */
export const variantEntities: SnapshotEntities = {
  kind: "variant",
  defaultContent: null,
  deletion: entities.variant.deletion,
  read(stored, key) {
    if (typeof key !== "string") return absent;
    const id = variantOfKey(key);
    const variant = readVariants(stored, productOfKey(key)).find(
      ({ content }) => content.id === id,
    );
    const versions = readVersions(stored, key);
    return variant ? { content: toVariantData(variant), versions } : { content: null, versions };
  },
  *readAll(stored) {
    for (const product of readProductsWithVariants(stored)) {
      for (const variant of readVariants(stored, product)) {
        const key = variantKey(product, variant.content.id);
        const state: EntityState = {
          content: toVariantData(variant),
          versions: readVersions(stored, key),
        };
        yield [key, state] as const;
      }
    }
  },
};

const readProductsWithVariants = (stored: ReadTables): ReadonlySet<number> =>
  new Set([
    ...stored.keys(tables.variantLists),
    ...Array.from(stored.keys(tables.variantStates), productOfKey),
  ]);

const readVariants = (stored: ReadTables, product: number): readonly AssembledVariant[] =>
  assembleVariants({
    list: stored.get(tables.variantLists, product),
    states: new Map(
      Array.from(stored.entries(tables.variantStates, variantKeys(product)), ([key, row]) => [
        variantOfKey(key),
        row,
      ]),
    ),
    price: (variant) => stored.get(tables.prices, variantKey(product, variant)),
    stock: () => undefined,
  });

const readVersions = (stored: ReadTables, key: string): readonly EventVersion[] =>
  [
    stored.get(tables.variantLists, productOfKey(key))?.version,
    stored.get(tables.variantStates, key)?.version,
    stored.get(tables.prices, key)?.price?.version,
  ].filter((version) => version !== undefined);

/** Converts a variant to the data of an event that states it, without its ids. */
const toVariantData = ({ content, terms }: AssembledVariant): object => {
  const { id: _, terms: __, specifications, ...members } = content;
  return {
    ...members,
    ...(specifications && {
      specifications: specifications.map(({ typed, ...each }) => ({ ...each, ...typed })),
    }),
    ...(terms && toPriceData(terms)),
  };
};

/** Converts prices to members of an event; members that are none are left out, but `price`. */
export const toPriceData = ({ price, listPrice, priorPrice, sales }: PriceTerms): PriceMembers => ({
  price,
  ...(listPrice && { listPrice }),
  ...(priorPrice && { priorPrice }),
  ...(sales.length > 0 && { sales }),
});
