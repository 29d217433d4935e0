import { entities } from "../../../projections/entities.ts";
import { toPriceMembers } from "../../../projections/price-group.ts";
import { type AssembledVariant, assembleVariants } from "../../../projections/variants.ts";
import type { EventVersion } from "../../read-model/schema/rows.ts";
import { tables } from "../../read-model/schema/tables.ts";
import {
  productOfKey,
  variantKey,
  variantKeys,
  variantOfKey,
} from "../../read-model/schema/variant-key.ts";
import type { ReadTables } from "../../read-model/store/store.ts";
import { absent, type SnapshotEntities } from "./entity-state.ts";

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
    return {
      content: variant ? toVariantData(variant) : null,
      versions: readVersions(stored, key),
    };
  },
  *readAll(stored) {
    for (const product of readProductsWithVariants(stored)) {
      for (const variant of readVariants(stored, product)) {
        const key = variantKey(product, variant.content.id);
        const versions = readVersions(stored, key);
        yield [key, { content: toVariantData(variant), versions }] as const;
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
const toVariantData = ({ content, priceGroup }: AssembledVariant): object => {
  const { id: _, priceGroup: __, specifications, ...members } = content;
  return {
    ...members,
    ...(specifications && {
      specifications: specifications.map(({ typed, ...each }) => ({ ...each, ...typed })),
    }),
    ...(priceGroup && toPriceMembers(priceGroup)),
  };
};
