import { entities } from "../../../projections/entities.ts";
import {
  type EntityKey,
  entityKinds,
  formatSubject,
  isEntityKind,
  parseSubject,
  splitSubject,
} from "../../../projections/subjects.ts";
import { VitrineError } from "../../errors.ts";
import { toNatsSubject } from "../../events/envelope.ts";
import { quoteForMessage } from "../../events/rejection.ts";
import { type FieldGroupKind, fieldGroupsOf } from "./field-groups.ts";

export interface ExplainedEntity {
  readonly groups: readonly FieldGroupKind[];
  readonly key: EntityKey;
  /** Subjects of its events, `product/4711`. */
  readonly events: ReadonlySet<string>;
  /** Log subjects of its events, `shop.product.4711`. */
  readonly subjects: readonly string[];
}

/**
 * @param name `product/4711`, `agent/LABEL`, `settings` …
 * @throws `usage` when the contract has no such entity
 */
export const parseEntityName = (name: string): ExplainedEntity => {
  const ref = parseSubject(name);
  if (!ref) throw unknownEntity(name);
  const { key } = ref;
  const groups = fieldGroupsOf(ref);
  const events = groups.flatMap((group) => writersOf(group, group.rowKey(key)));
  const subjects = new Set(events);
  return { groups, key, events: subjects, subjects: [...subjects].map(toNatsSubject) };
};

/** Lists the subjects of the events that write a row. A product event may set the price, too. */
const writersOf = ({ table }: FieldGroupKind, key: EntityKey): readonly string[] =>
  entityKinds
    .filter((kind) => entities[kind].tables.some((each) => each === table))
    .map((kind) => formatSubject({ kind, key }))
    .filter((subject) => parseSubject(subject) !== undefined);

const unknownEntity = (name: string): VitrineError => {
  const { kind } = splitSubject(name);
  const hasNumericId = isEntityKind(kind) && !["label", "subject"].includes(entities[kind].key);
  const forms = entityKinds.map((each) =>
    formatSubject({ kind: each, key: examples[entities[each].key] }),
  );
  return new VitrineError(
    "usage",
    `${quoteForMessage(name)} is not the name of an entity${hasNumericId ? ": an id is a positive whole number" : ""}`,
    `give ${forms.slice(0, -1).join(", ")} or ${forms.at(-1)}`,
  );
};

const examples = {
  id: "ID",
  pair: "PRODUCT/VARIANT",
  idOrPair: "ID",
  label: "LABEL",
  subject: "",
} as const;
