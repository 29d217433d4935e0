/**
 * Hashes for comparison and distribution, not for security: 32 bits, equal on every machine. Invariant: stored models
 * depend on them, so a change needs a new model layout.
 */

/**
 * Hashes an integer up to 2^53 by the finalizer of MurmurHash3.
 * @param salt selects another hash function
 */
export const hashInteger = (id: number, salt = 0): number => {
  let hash =
    (id >>> 0) ^ Math.imul(Math.floor(id / 2 ** 32), 0x9e3779b1) ^ Math.imul(salt, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/** Hashes a string's code units by FNV-1a, finished by `hashInteger`. */
export const hashString = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hashInteger(hash >>> 0);
};
