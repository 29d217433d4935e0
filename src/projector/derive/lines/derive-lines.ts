import { toOfferPolicy } from "../../../offers/policy.ts";
import { lineKey } from "../../../read-model/schema/lines.ts";
import type { CategoryRows } from "../category-times.ts";
import type { Derivation } from "../derivation.ts";
import { noteCategoryLines } from "./category-lines.ts";
import { type LineChange, type LineNotes, writeLines } from "./line-notes.ts";
import { noteProductLines } from "./product-lines.ts";
import { isConstant } from "./stock-change.ts";

/**
 * Writes when each line of the change feed last changed (Contract §11). Each condition is judged over all rows that the batch had, because a
 * replica that cut the log elsewhere showed the states in between.
 * @param categories all categories, when one of them changed
 * @param to log sequence of the last event of the batch
 */
export const deriveLines = (
  derivation: Derivation,
  categories: CategoryRows | undefined,
  to: number,
): void =>
  writeLines(derivation.stored, to, (notes) => {
    noteSettings(derivation, notes);
    if (categories) noteCategoryLines(derivation, notes, categories);
    noteContents(derivation, notes);
    noteProductLines(derivation, notes);
  });

const noteSettings = ({ batch: { settings } }: Derivation, notes: LineNotes): void => {
  const at = settings.changedAt("settings");
  if (at === 0) return;
  const contents = settings.versions("settings").map((row) => row?.content ?? undefined);
  const changeOf = (parts: readonly unknown[]): number => (isConstant(parts) ? 0 : at);
  const policies = contents.map((content) => toOfferPolicy(content ?? {}));
  const policyAt = changeOf(policies);
  notes.note(lineKey("shop", "shop"), [{ at, isShown: true, wasShown: true }]);
  notes.noteAll("price", Math.max(policyAt, changeOf(contents.map((each) => each?.currency))));
  notes.noteAll("stock", policyAt);
  notes.noteAll("carrier", changeOf(policies.map(({ pricesVisible }) => pricesVisible)));
};

/** Notes the lines of CMS pages and carriers. */
const noteContents = ({ batch: { pages, carriers } }: Derivation, notes: LineNotes): void => {
  for (const id of pages.changedKeys()) {
    const shown = pages.versions(id).map((row) => row?.content?.published === true);
    notes.note(lineKey("page", id), [toChange(pages.changedAt(id), shown)]);
  }
  for (const id of carriers.changedKeys()) {
    const shown = carriers.versions(id).map((row) => row?.content?.active === true);
    notes.note(lineKey("carrier", id), [toChange(carriers.changedAt(id), shown)]);
  }
};

/** @param shown whether the line was shown, at each time of the batch */
const toChange = (at: number, shown: readonly boolean[]): LineChange => ({
  at,
  isShown: shown.at(-1) === true,
  wasShown: shown.includes(true),
});
