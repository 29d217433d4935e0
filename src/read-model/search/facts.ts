import { createWriter, readBytes } from "./bytes.ts";
import { startsRun } from "./runs.ts";

/** What a visible product is filtered, sorted and counted by: kept apart from its texts, so that many are read at once. */
export interface Fact {
  readonly id: number;
  /** As units of 10^-6, the finest an amount may have, rounded past 2^53; undefined without a price. */
  readonly price: number | undefined;
  readonly brand: string | null;
  readonly categoryIds: readonly number[];
}

/** Mean number of products in a run. */
const meanFacts = 128;

export const startsFacts = (id: number): boolean => startsRun(id, meanFacts);

/** `12.9` → 12900000 */
export const millionths = (amount: string): number => {
  const [whole = "", fraction = ""] = amount.split(".");
  return Number(whole + fraction.padEnd(6, "0").slice(0, 6));
};

const writer = createWriter();

/** A run of facts; brands and categories repeat, so each is written once and then named by its number. */
export const encodeFacts = (facts: readonly Fact[]): Buffer => {
  const brands = numbered(facts.flatMap(({ brand }) => brand ?? []));
  const categories = numbered(facts.flatMap(({ categoryIds }) => categoryIds));
  writer.integer(brands.size);
  for (const brand of brands.keys()) writer.text(brand);
  writer.integer(categories.size);
  for (const id of categories.keys()) writer.integer(id);
  let last = 0;
  for (const { id, price, brand, categoryIds } of facts) {
    writer.integer(id - last);
    last = id;
    writePrice(price);
    writer.integer(brand === null ? 0 : (brands.get(brand) ?? 0) + 1);
    writer.integer(categoryIds.length);
    for (const category of categoryIds) writer.integer(categories.get(category) ?? 0);
  }
  return writer.take();
};

/** Cents where that is exact, as nearly always: half the bytes. */
const cent = 10_000;

const writePrice = (price: number | undefined): void => {
  if (price === undefined) writer.integer(0);
  else if (Number.isSafeInteger(price) && price % cent === 0)
    writer.integer((price / cent) * 2 + 1);
  else {
    writer.integer(2);
    writer.text(String(price));
  }
};

const numbered = <T>(values: readonly T[]): ReadonlyMap<T, number> =>
  new Map([...new Set(values)].map((value, at) => [value, at]));

/** The facts of a run. */
export const decodeFacts = (bytes: Buffer): Fact[] => {
  const reader = readBytes(bytes);
  const brands = Array.from({ length: reader.integer() }, () => reader.text());
  const categories = Array.from({ length: reader.integer() }, () => reader.integer());
  const facts: Fact[] = [];
  let id = 0;
  while (!reader.done()) {
    id += reader.integer();
    const price = readPrice(reader);
    const brand = brands[reader.integer() - 1] ?? null;
    const categoryIds = Array.from(
      { length: reader.integer() },
      () => categories[reader.integer()] as number,
    );
    facts.push({ id, price, brand, categoryIds });
  }
  return facts;
};

const readPrice = (reader: ReturnType<typeof readBytes>): number | undefined => {
  const written = reader.integer();
  if (written === 0) return undefined;
  return written === 2 ? Number(reader.text()) : ((written - 1) / 2) * cent;
};
