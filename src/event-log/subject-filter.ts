/**
 * Creates a test for log subjects.
 * @param subjects complete ones, or with `*` in place of the last part, as NATS filters have it
 */
export const createSubjectFilter = (
  subjects: readonly string[],
): ((subject: string) => boolean) => {
  const names = new Set(subjects);
  const hasWildcard = subjects.some((subject) => subject.endsWith(".*"));
  if (!hasWildcard) return (subject) => names.has(subject);
  return (subject) =>
    names.has(subject) || names.has(`${subject.slice(0, subject.lastIndexOf("."))}.*`);
};
