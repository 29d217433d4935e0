import type { DraftEvent } from "../../connectors/delivery.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { RehearsedState } from "./rehearsal.ts";

/** How many entities of a kind the files lack. */
export interface LeftOver {
  readonly kind: string;
  readonly leftOver: number;
  /** Entities that the connection published. */
  readonly inModel: number;
}

/** What a connection published and no rehearsed row has. */
export interface LeftOvers {
  readonly kinds: readonly LeftOver[];
  readonly deletions: readonly DraftEvent[];
}

/** Table of a rehearsal: subjects that bodies have without restating them. No translator has a table of this name. */
export const metTable = "met";

/**
 * A deletion has the time of what it deletes: of equal times the later event counts, so that a body which comes back is there again.
 * @param taken what was published later is kept
 */
export const findLeftOver = (
  inbox: Inbox,
  rehearsed: RehearsedState,
  { taken, keepsCategories }: { readonly taken: string; readonly keepsCategories: boolean },
): LeftOvers => {
  const kinds = new Map<string, { kind: string; leftOver: number; inModel: number }>();
  const deletions: DraftEvent[] = [];
  for (const [subject, row] of inbox.readPublished()) {
    const draft = row.isDeleted ? undefined : toDeletion(subject, row.time);
    if (!draft) continue;
    const [kind = ""] = subject.split("/");
    if (kind === "category" && keepsCategories) continue;
    const sum = kinds.get(kind) ?? { kind, leftOver: 0, inModel: 0 };
    kinds.set(kind, sum);
    sum.inModel += 1;
    if (row.time > taken || isMet(rehearsed, subject)) continue;
    sum.leftOver += 1;
    deletions.push(draft);
  }
  return { kinds: [...kinds.values()], deletions };
};

/** Whether a body has a subject. One that has a product without restating it has its variants too. */
const isMet = (rehearsed: RehearsedState, subject: string): boolean =>
  rehearsed.has("published", subject) ||
  rehearsed.has(metTable, subject) ||
  rehearsed.has(metTable, subject.replace(/^variant\/(\d+)\/.*/, "product/$1"));

/** @returns undefined for a subject that no event deletes */
const toDeletion = (subject: string, time: string): DraftEvent | undefined => {
  const [kind, first, second] = subject.split("/");
  const id = Number(first);
  switch (kind) {
    case "product":
      return { type: "shop.product.deleted", data: { id }, time };
    case "category":
      return { type: "shop.category.deleted", data: { id }, time };
    case "variant":
      return { type: "shop.variant.deleted", data: { productId: id, id: Number(second) }, time };
    default:
      return undefined;
  }
};
