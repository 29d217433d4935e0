import { findConflict } from "../events/conflicts.ts";
import { defaultContract } from "../events/contract.ts";
import { type DraftEvent, type Refused, refused } from "./delivery.ts";

/** Bound on members left out of one event, because each costs a validation of the whole event. */
const maxLeftOut = 100;

/**
 * Leaves optional members out that the contract refuses (Contract 10, What does not fit).
 * @param leaveOut receives the name of each, without positions: `variants.gtin`
 * @returns a refusal when a required member does not fit
 */
export const fitEvent = (
  draft: DraftEvent,
  leaveOut: (member: string) => void,
): DraftEvent | Refused => {
  let misfit = findMisfit(draft);
  if (!misfit) return draft;
  const fitted: DraftEvent = structuredClone(draft);
  for (let left = maxLeftOut; misfit && left > 0; left -= 1) {
    const removed = removeMember(fitted.data, misfit.steps);
    if (removed === undefined) break;
    leaveOut(removed);
    const next = findMisfit(fitted);
    // A required member is missing once it is removed: the reason is what was wrong with it.
    if (misfit.steps.length === 1 && next?.field === misfit.field) break;
    misfit = next;
  }
  return misfit ? refused(misfit.field, misfit.reason) : fitted;
};

type Steps = readonly (string | number)[];

interface Misfit {
  /** Path of the member to leave out, in the data. */
  readonly steps: Steps;
  readonly field: string;
  readonly reason: string;
}

const findMisfit = ({ type, data }: DraftEvent): Misfit | undefined => {
  const definition = defaultContract().definitions.get(type);
  const violation = definition?.validate(data);
  if (violation) return toMisfit(violation.field ?? "", violation.reason);
  const conflict = findConflict(type, definition?.normalize(data));
  if (!conflict) return undefined;
  const misfit = toMisfit(conflict.field ?? "", conflict.reason);
  // Two variants with equal options: without its options the later would stand for any.
  const item = misfit.steps.findIndex((step) => typeof step === "number");
  return item < 0 ? misfit : { ...misfit, steps: misfit.steps.slice(0, item + 1) };
};

/** @param field path such as `data.variants[3].gtin` */
const toMisfit = (field: string, reason: string): Misfit => ({
  steps: [...field.matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)].map(([, name, at]) => name ?? Number(at)),
  field: field.replace(/^data\.?/, ""),
  reason,
});

/**
 * Removes a member; of one that is missing, the object that needs it.
 * @returns its name; undefined when the event itself needs the member
 */
const removeMember = (data: object, steps: Steps): string | undefined => {
  const last = steps.at(-1);
  if (last === undefined) return undefined;
  const parent = steps
    .slice(0, -1)
    .reduce<unknown>((node, step) => (node as Record<string | number, unknown>)[step], data);
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, last)) {
    return removeMember(data, steps.slice(0, -1));
  }
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else Reflect.deleteProperty(parent, last);
  return steps.filter((step) => typeof step === "string").join(".");
};
