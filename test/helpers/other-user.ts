/** A user of this machine without rights, for a test that runs as root. */
export const otherUser = 65_534;

export const isRoot = process.geteuid?.() === 0;

/** Runs synchronous work with the effective rights of a user. Only for root. */
export const asUser = <T>(user: number, work: () => T): T => {
  process.seteuid?.(user);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
};
