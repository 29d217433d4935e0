import type { Money } from "../../events/event.ts";
import type { Sale, VariantData } from "../../events/product-facts.ts";
import { isLower } from "../../offers/amounts.ts";
import { type Members, readInteger, readMembers, readObjects, readText } from "../members.ts";
import { toMoney } from "../money.ts";
import { toUtcTime } from "../times.ts";

/** What chooses one price of a variant. */
export interface PriceChoice {
  readonly currency: string;
  readonly country?: string;
  readonly channel?: string;
  /** Time of the message. */
  readonly time: string;
  leaveOut(member: string): void;
}

interface Candidate extends Required<Sale> {
  /** `price` is that of its discount, where that is lower. */
  readonly value: Money;
  /** 2 for the channel, and 1 for the country. */
  readonly rank: number;
}

/** Bound of Contract 9. */
const maxSales = 10;

/** Chooses the price of a visitor without a customer group, and its sales. */
export const choosePrice = (
  variant: Members,
  choice: PriceChoice,
): Pick<VariantData, "price" | "sales"> => {
  const candidates = readObjects(variant["prices"])
    .flatMap((price) => readCandidate(price, choice) ?? [])
    .filter(({ to }) => !to || to > choice.time)
    .sort((one, other) => other.rank - one.rank || compareBegins(one, other));
  const base = findBase(candidates, choice.time);
  if (!base) return { price: null, sales: [] };
  const dated = candidates
    .filter((other) => other !== base && other.rank >= base.rank && isDated(other))
    .filter(({ price }) => isLower(price, base.value))
    .map(({ price, from, to }): Sale => ({ price, from, to }))
    .slice(0, maxSales - 1);
  const discount = isLower(base.price, base.value) ? [{ price: base.price }] : [];
  return { price: base.value, sales: [...dated, ...discount] };
};

/** A dated price that holds counts where it is no reduction; it stays the price after its end, until another message. */
const findBase = (preferred: readonly Candidate[], time: string): Candidate | undefined => {
  const undated = preferred.find((candidate) => !isDated(candidate));
  const holding = preferred.find(({ from, to }) => Boolean(from ?? to) && (!from || from <= time));
  if (!undated || !holding || holding.rank < undated.rank) return undated ?? holding;
  return isLower(undated.value, holding.value) ? holding : undated;
};

const compareBegins = ({ from: one }: Candidate, { from: other }: Candidate): number =>
  (one ?? "") < (other ?? "") ? -1 : 1;

const isDated = ({ from, to }: Candidate): boolean => Boolean(from ?? to);

/** @returns undefined for a price of another currency, country or channel, or of a customer group */
const readCandidate = (price: Members, choice: PriceChoice): Candidate | undefined => {
  const money = readMembers(price["value"]);
  const channel = rankOf(readMembers(price["channel"])?.["id"], choice.channel);
  const country = rankOf(price["country"], choice.country);
  const isOther =
    money?.["currencyCode"] !== choice.currency || readMembers(price["customerGroup"]);
  if (!money || isOther || channel === undefined || country === undefined) return undefined;
  const value = readAmount(money, choice.currency);
  if (!value) return void choice.leaveOut("variants.price");
  const discounted = readAmount(readMembers(price["discounted"])?.["value"], choice.currency);
  return {
    value,
    price: discounted && isLower(discounted, value) ? discounted : value,
    from: toUtcTime(price["validFrom"]) ?? null,
    to: toUtcTime(price["validUntil"]) ?? null,
    rank: 2 * channel + country,
  };
};

/** @returns 0 for all, 1 for the wanted one, undefined for another */
const rankOf = (stated: unknown, wanted: string | undefined): number | undefined => {
  const text = readText(stated);
  if (text === undefined) return 0;
  return text === wanted ? 1 : undefined;
};

/** Bound of the platform. */
const maxFractionDigits = 20;

/** Reads money by its digits, because a double would round it. */
const readAmount = (value: unknown, currency: string): Money | undefined => {
  const money = readMembers(value) ?? {};
  const isPrecise = money["type"] === "highPrecision";
  const digits = readText(money[isPrecise ? "preciseAmount" : "centAmount"]) ?? "";
  const places = readInteger(money["fractionDigits"]) ?? -1;
  if (!/^\d+$/.test(digits) || places < 0 || places > maxFractionDigits) return undefined;
  const padded = digits.padStart(places + 1, "0");
  const at = padded.length - places;
  return toMoney(`${padded.slice(0, at)}.${padded.slice(at)}`.replace(/\.$/, ""), currency);
};
