/** LMDB's own words for a page that is not where, or not what, it should be: MDB_PAGE_NOTFOUND, _CORRUPTED, _INVALID. */
const damages: ReadonlySet<unknown> = new Set([-30797, -30796, -30793]);

/** MDB_BAD_TXN: what a walk says of such a page, and every later look-up of the same moment; a commit that met one, too. */
const badMoment = -30782;

const codeOf = (error: unknown): unknown =>
  error instanceof Error ? Reflect.get(error, "code") : undefined;

/** Whether a write met a page that is damaged. */
export const isDamage = (error: unknown): boolean => damages.has(codeOf(error));

export const isBadMoment = (error: unknown): boolean => codeOf(error) === badMoment;

/** Whether a reading met one. */
export const isOfDamage = (error: unknown): boolean => isDamage(error) || isBadMoment(error);
