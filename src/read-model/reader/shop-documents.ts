import type { OperatorReader } from "../operator/state.ts";
import { readRevocationFloor } from "../operator/state.ts";
import type {
  AgentDocument,
  CarrierDocument,
  PageDocument,
  RobotsDocument,
  ShopDocument,
} from "../schema/documents.ts";
import type { CarrierRow, FieldGroup } from "../schema/rows.ts";
import { tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import { readListDate } from "./list-dates.ts";
import type { ShopPart } from "./reader.ts";

/** Documents of a shop other than those of its catalogue. Commits that change only products never change them. */

export const readRobots = (stored: ReadTables): RobotsDocument | undefined =>
  toDocument(stored.get(tables.robots, "robots"));

export const readShop = (stored: ReadTables): ShopDocument | undefined =>
  toDocument(stored.get(tables.settings, "settings"));

const toDocument = <C extends object>(row: FieldGroup<C> | undefined) =>
  row?.content
    ? { ...row.content, updatedAt: new Date(row.contentChangedAt).toISOString() }
    : undefined;

/** Returns when a part of the shop last changed, in milliseconds since 1970; 0 for a part without any event. */
export const readPartChangedAt = (stored: ReadTables, part: ShopPart): number => {
  switch (part) {
    case "settings":
      return stored.get(tables.settings, "settings")?.contentChangedAt ?? 0;
    case "catalogue":
      return Math.max(readListDate(stored, "products"), readListDate(stored, "categories"));
    case "policies":
    case "pages":
      return readListDate(stored, part);
    case "carriers":
      return [...stored.entries(tables.carriers)].reduce(
        (last, [, row]) => Math.max(last, row.contentChangedAt),
        0,
      );
  }
};

/** @returns undefined for a page that is not published */
export const readPage = (stored: ReadTables, id: number): PageDocument | undefined => {
  const row = stored.get(tables.pages, id);
  if (!row?.content?.published) return undefined;
  const { title, url, policy, summary, pageMarkdown } = row.content;
  const markdown = pageMarkdown ?? "";
  const lastmod = new Date(row.contentChangedAt).toISOString();
  return { id, title, url, policy, summary, markdown, lastmod };
};

export const readCarriers = (stored: ReadTables): readonly CarrierDocument[] =>
  [...stored.entries(tables.carriers)].flatMap(([, row]) => toCarrier(row) ?? []);

/** @returns undefined for a carrier that is not active */
export const toCarrier = (row: CarrierRow | undefined): CarrierDocument | undefined => {
  if (!row?.content?.active) return undefined;
  const { active: _, ...carrier } = row.content;
  return carrier;
};

export const readAgent = (
  stored: ReadTables,
  operator: Pick<OperatorReader, "revocation">,
  label: string,
): AgentDocument | undefined => {
  const floor = readRevocationFloor(stored, operator, label);
  return floor && { label, tokenEpoch: floor.generation, revoked: floor.revoked };
};
