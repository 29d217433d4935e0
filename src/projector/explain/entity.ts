import { type EntityKind, entities } from "../../../projections/entities.ts";
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
import { type FieldGroupKind, fieldGroups } from "./field-groups.ts";

/** An entity that can be explained. */
export interface ExplainedEntity {
  readonly groups: readonly FieldGroupKind[];
  /** Key of its rows. */
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
  const { kind, key } = ref;
  const groups = fieldGroups[kind];
  const events = writersOf(groups).map((writer) => formatSubject({ kind: writer, key }));
  return { groups, key, events: new Set(events), subjects: events.map(toNatsSubject) };
};

/** Lists the kinds of entities whose events write some groups. A product event may set the price, too. */
const writersOf = (groups: readonly FieldGroupKind[]): readonly EntityKind[] =>
  entityKinds.filter((kind) =>
    entities[kind].tables.some((table) => groups.some((group) => group.table === table)),
  );

const unknownEntity = (name: string): VitrineError => {
  const { kind } = splitSubject(name);
  const hasNumericId = isEntityKind(kind) && entities[kind].key === "id";
  const forms = entityKinds.map((each) =>
    formatSubject({ kind: each, key: examples[entities[each].key] }),
  );
  return new VitrineError(
    "usage",
    `${quoteForMessage(name)} is not the name of an entity${hasNumericId ? ": an id is a positive whole number" : ""}`,
    `give ${forms.slice(0, -1).join(", ")} or ${forms.at(-1)}`,
  );
};

const examples = { id: "ID", label: "LABEL", subject: "" } as const;
