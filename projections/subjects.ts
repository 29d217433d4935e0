import { type EntityKind, entities } from "./entities.ts";

/** The key of an entity's rows: an id, a pair of ids `4711/90001`, a label, or the subject of an entity that exists once. */
export type EntityKey = number | string;

export interface EntityRef {
  readonly kind: EntityKind;
  readonly key: EntityKey;
}

export const entityKinds: readonly EntityKind[] = Object.keys(entities).filter(isEntityKind);

export function isEntityKind(name: string): name is EntityKind {
  return Object.hasOwn(entities, name);
}

/** Formats the subject of an entity's events: `product/4711`, `agent/LABEL`, `settings`. */
export const formatSubject = ({ kind, key }: EntityRef): string =>
  entities[kind].key === "subject" ? kind : `${kind}/${key}`;

/**
 * Parses the subject of an event.
 * @returns undefined when no event can have this subject
 */
export const parseSubject = (subject: string): EntityRef | undefined => {
  const { kind, rest } = splitSubject(subject);
  if (!isEntityKind(kind)) return undefined;
  const key = parseKey(kind, rest);
  return key === undefined ? undefined : { kind, key };
};

/** Splits a subject at its first slash; `rest` is undefined when there is none. */
export const splitSubject = (
  subject: string,
): { readonly kind: string; readonly rest: string | undefined } => {
  const slash = subject.indexOf("/");
  if (slash < 0) return { kind: subject, rest: undefined };
  return { kind: subject.slice(0, slash), rest: subject.slice(slash + 1) };
};

const parseKey = (kind: EntityKind, text: string | undefined): EntityKey | undefined => {
  switch (entities[kind].key) {
    case "subject":
      return text === undefined ? kind : undefined;
    case "label":
      return text || undefined;
    case "id":
      return parseId(text ?? "");
    case "pair":
      return parsePair(text ?? "");
    case "idOrPair":
      return parseId(text ?? "") ?? parsePair(text ?? "");
  }
};

const parsePair = (text: string): string | undefined => {
  const ids = text.split("/").map(parseId);
  return ids.length === 2 && !ids.includes(undefined) ? text : undefined;
};

const parseId = (text: string): number | undefined =>
  /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
