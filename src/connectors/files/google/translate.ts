import {
  type Connection,
  type Delivery,
  type DraftOf,
  ignored,
  type Outcome,
  refused,
  type StateReader,
} from "../../delivery.ts";
import { readMembers, readObjects } from "../../members.ts";
import {
  openTranslation,
  reserveId,
  type SharedTables,
  type Translation,
} from "../../translation.ts";
import { addCategories } from "./categories.ts";
import { type GoogleItem, type OptionChoice, readItem } from "./item.ts";

/** Rows by table. */
export interface GoogleTables extends SharedTables {
  /** By id of the product, because the items of a group may be in several bodies. */
  readonly groups: GroupRow;
}

interface GroupRow {
  /** Time of the file. */
  readonly taken: string;
  /** Id of the first item of the file, which the product has its members of. */
  readonly first: number;
  readonly product: DraftOf<"shop.product.upserted">["data"];
  /** What the variants of this file are until now. */
  readonly choices: readonly OptionChoice[];
  /** Whether this file had the items in several bodies. */
  readonly isDivided: boolean;
  /** What those of the file before were where it was divided, because a first body has only some. */
  readonly before: readonly OptionChoice[];
}

/** Topics of the bodies that `readGoogle` reads. */
export const googleTopics: ReadonlySet<string> = new Set(["google/item"]);

/** Translates an item, or items of one group (Contract 10, Product data for Google). */
export const translateGoogle = (
  { topic, body, arrivedAt: taken }: Delivery,
  connection: Connection,
  state: StateReader<GoogleTables>,
): Outcome => {
  if (!googleTopics.has(topic)) return ignored("a topic without goods");
  const translation = openTranslation(state);
  const items: GoogleItem[] = [];
  for (const [at, attributes] of readObjects(readMembers(body)?.["items"]).entries()) {
    const item = readItem(attributes, connection, taken);
    if ("reason" in item) return refused(`items[${at}].${item.attribute}`, item.reason);
    const taker = findTaker(translation, item);
    if (taker) return refused(`items[${at}].${taker}`, "has the number of another text");
    items.push(item);
  }
  const [first] = items;
  if (!first) return refused("items", "must be a list of items");
  const categoryIds = addCategories(translation, connection.categoryUrl, first.paths, taken);
  const draft = { ...first, product: { ...first.product, categoryIds } };
  if (first.group) addGroup(translation, [draft, ...items.slice(1)], taken);
  else addProduct(translation, draft, taken);
  return translation.finish();
};

/** @returns the attribute whose number stands for another text */
const findTaker = (
  translation: Translation<SharedTables>,
  { entity, group }: GoogleItem,
): string | undefined => {
  if (group && !reserveId(translation, "product", group)) return "item_group_id";
  return reserveId(translation, group ? "variant" : "product", entity) ? undefined : "id";
};

const addProduct = (
  translation: Translation<GoogleTables>,
  { product, stock }: GoogleItem,
  time: string,
): void => {
  translation.add({ type: "shop.product.upserted", data: product, time });
  translation.add({ type: "shop.stock.changed", data: { productId: product.id, ...stock }, time });
};

/** Adds the product of a group, and each of its variants by an event of its own. */
const addGroup = (
  translation: Translation<GoogleTables>,
  items: readonly [GoogleItem, ...GoogleItem[]],
  time: string,
): void => {
  const row = toRow(translation, items, time);
  const productId = row.product.id;
  translation.put("groups", String(productId), row);
  const options = toOptions([...row.before, ...row.choices]);
  const data = { ...row.product, options };
  translation.add({ type: "shop.product.upserted", data, time });
  const shared = new Set(row.product.specifications?.map((each) => JSON.stringify(each)));
  for (const { variant, choices, specifications: all, stock } of items) {
    const own = {
      options: choices.map(({ name, value }) => ({ name, value })),
      specifications: all.filter((each) => !shared.has(JSON.stringify(each))),
    };
    translation.add({
      type: "shop.variant.upserted",
      data: { productId, ...variant, ...own },
      time,
    });
    const ids = { productId, variantId: variant.id };
    translation.add({ type: "shop.stock.changed", data: { ...ids, ...stock }, time });
  }
};

/** Joins items to those of their group that the file had before. Its first item again starts another file. */
const toRow = (
  translation: Translation<GoogleTables>,
  items: readonly [GoogleItem, ...GoogleItem[]],
  taken: string,
): GroupRow => {
  const [{ entity, product }] = items;
  const existing = translation.get("groups", String(product.id));
  const isSame = existing?.taken === taken && existing.first !== entity.id;
  const joined = isSame ? existing.choices : [];
  const all = [...joined, ...items.flatMap(({ choices }) => choices)];
  const isActive = items.some(({ variant }) => variant.active);
  return {
    ...{ taken, isDivided: isSame, first: isSame ? existing.first : entity.id },
    product: isSame
      ? { ...existing.product, active: existing.product.active === true || isActive }
      : { ...product, active: isActive },
    choices: [...new Map(all.map((each) => [JSON.stringify(each), each])).values()],
    before: isSame ? existing.before : existing?.isDivided ? existing.choices : [],
  };
};

const toOptions = (choices: readonly OptionChoice[]) => {
  const options = new Map<string, { readonly code?: string; readonly values: Set<string> }>();
  for (const { name, value, ...code } of choices) {
    const option = options.get(name) ?? { ...code, values: new Set() };
    options.set(name, option);
    option.values.add(value);
  }
  return [...options].map(([name, { values, ...code }]) => ({
    ...{ name, values: [...values] },
    ...code,
  }));
};
