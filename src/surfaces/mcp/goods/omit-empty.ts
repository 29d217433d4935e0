/** Writes the members of an object with a comma before each, to be appended to others. */
export const writeMembers = (members: object): string => {
  const json = JSON.stringify(members).slice(1, -1);
  return json === "" ? "" : `,${json}`;
};

/** Omits members that are null or an empty list, because an answer of a tool has only what there is to say. */
export const omitEmpty = (members: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value != null && !(Array.isArray(value) && value.length === 0),
    ),
  );
