import type { Money } from "../../../events/event.ts";
import { priceMembers } from "../../../events/product-facts.ts";
import { isLower } from "../../../offers/amounts.ts";
import { toInstant } from "../../../offers/instants.ts";
import { productOfKey } from "../../../read-model/schema/keys.ts";
import type { SettingsRow } from "../../../read-model/schema/rows.ts";
import { type LintModel, type LintWarning, priceGroupOf } from "./model.ts";
import { nameOf, type StatedPart, warnOfPart } from "./stated-parts.ts";

/** Finds prices, sales and list prices of one file that are not shown or compared, or claim too much. */
export const createPriceCheck = (model: LintModel) => {
  const queue = createSettingsQueue(model);
  return {
    /** @param part of an event that was folded */
    check(part: StatedPart): readonly LintWarning[] {
      const { data, key } = part;
      if (priceMembers.every((member) => data[member] === undefined)) return [];
      const price = toMoney(data.price, () => priceGroupOf(model, key).price);
      const highest = recordPrice(model, part, price);
      const listPrice = data.listPrice ? toMoney(data.listPrice, () => price) : null;
      const { currency } = data.price ?? {};
      return [
        ...(currency ? queue.run(currency, findForeignPrice(part, currency)) : []),
        ...findMissingPrice(part),
        ...findOtherCurrency(part, price),
        ...findHighSales(part, price),
        ...findEmptyWindows(part),
        ...(listPrice && highest && isLower(highest, listPrice)
          ? queue.run("listPrice", findUncharged(part, listPrice, model))
          : []),
      ];
    },
    release: queue.release,
  };
};

type FindInSettings = (settings: NonNullable<SettingsRow["content"]>) => readonly LintWarning[];

/** Limits the checks of each topic that wait. */
const maxWaiting = 1_000;

/** Keeps the checks of one file that need the settings of the shop until they arrive. */
const createSettingsQueue = ({ rows }: LintModel) => {
  const waiting = new Map<string, FindInSettings[]>();
  const run = (topic: string, find: FindInSettings): readonly LintWarning[] => {
    const settings = rows.settings.get("settings")?.content;
    if (settings) return find(settings);
    const finds = waiting.get(topic) ?? [];
    waiting.set(topic, finds);
    if (finds.length < maxWaiting) finds.push(find);
    return [];
  };
  const release = (): readonly LintWarning[] => {
    const finds = [...waiting.entries()];
    waiting.clear();
    return finds.flatMap(([topic, each]) => each.flatMap((find) => run(topic, find))).sort(byLine);
  };
  return { run, release };
};

export const byLine = (one: LintWarning, other: LintWarning): number => one.line - other.line;

/** Completes an amount that states a part alone. @returns null when a part is missing */
const toMoney = (
  stated: Partial<Money> | null | undefined,
  findStored: () => Money | null,
): Money | null => {
  const isComplete = stated?.amount !== undefined && stated.currency !== undefined;
  const { amount, currency } = isComplete ? stated : { ...findStored(), ...stated };
  return amount === undefined || currency === undefined ? null : { amount, currency };
};

const formatMoney = ({ amount, currency }: Money): string => `${amount} ${currency}`;

/** Records the price of a part. @returns the highest price that it or its product had */
const recordPrice = (
  { priceRecords }: LintModel,
  { key, data }: StatedPart,
  price: Money | null,
): Money | null => {
  const before = priceRecords.get(key);
  const highest = higherOf(before?.highest ?? null, data.price ? price : null);
  priceRecords.put(key, { ...before, highest });
  return higherOf(priceRecords.get(productOfKey(key))?.highest ?? null, highest);
};

/** Returns the higher price. Of two currencies, that of the second price. */
const higherOf = (one: Money | null, other: Money | null): Money | null =>
  one && (!other || isLower(other, one)) ? one : other;

const findForeignPrice =
  (part: StatedPart, currency: string): FindInSettings =>
  (shop) => {
    if (currency === shop.currency) return [];
    const reason = `the price is in ${currency}, and the shop's currency is ${shop.currency}: it is shown, and is in no price range, facet or order`;
    return warnOfPart(part, "price.currency", reason);
  };

/** Finds a list price above every price that the product or variant had before. It is not shown unless it is above the price. */
const findUncharged =
  (part: StatedPart, listPrice: Money, { priceRecords }: LintModel): FindInSettings =>
  ({ listPriceKind }) => {
    const record = priceRecords.get(part.key);
    const text = formatMoney(listPrice);
    // Without a record, earlier prices may be missing.
    const isNew = record !== undefined && record.warnedListPrice !== text;
    if (listPriceKind !== "former" || !isNew) return [];
    priceRecords.put(part.key, { ...record, warnedListPrice: text });
    const reason = `the list price of ${nameOf(part.key)}, ${text}, claims more than the log knows, because no event before had a price that high: leave it out, or set listPriceKind to recommended`;
    return warnOfPart(part, "listPrice", reason);
  };

/** Finds a product whose event states the rest of the price group alone, which takes its price away. */
const findMissingPrice = (part: StatedPart): readonly LintWarning[] => {
  const { key, data, isPatch } = part;
  if (typeof key === "string" || isPatch || data.price) return [];
  const member = (["sales", "listPrice", "priorPrice"] as const).find((each) =>
    data.price === undefined ? data[each] !== undefined : isFilled(data[each]),
  );
  if (member === undefined) return [];
  const reason = `${nameOf(key)} has ${member} and no price, so no price is shown: send the price with ${member}`;
  return warnOfPart(part, member, reason);
};

const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value != null;

const findOtherCurrency = (part: StatedPart, price: Money | null): readonly LintWarning[] =>
  (["listPrice", "priorPrice"] as const).flatMap((member) => {
    const currency = part.data[member]?.currency;
    if (!price || currency === undefined || currency === price.currency) return [];
    const reason = `the ${member} of ${nameOf(part.key)} is in ${currency} and its price in ${price.currency}, so ${member} is not shown: send both in one currency`;
    return warnOfPart(part, `${member}.currency`, reason);
  });

/** @param price null when the files do not state it */
const findHighSales = (part: StatedPart, price: Money | null): readonly LintWarning[] =>
  (part.data.sales ?? []).flatMap((sale, at) => {
    if (!price || isLower(sale.price, price)) return [];
    const reason = `the sale price of ${nameOf(part.key)}, ${formatMoney(sale.price)}, is not below its price, ${formatMoney(price)}, so the sale is never in force: lower it or leave it out`;
    return warnOfPart(part, `sales[${at}].price`, reason);
  });

const findEmptyWindows = (part: StatedPart): readonly LintWarning[] =>
  (part.data.sales ?? []).flatMap(({ from, to }, at) => {
    if (from == null || to == null || toInstant(to) > toInstant(from)) return [];
    const reason = `a sale of ${nameOf(part.key)} ends at ${to}, not after it begins, so it is never in force: send a later end`;
    return warnOfPart(part, `sales[${at}].to`, reason);
  });
