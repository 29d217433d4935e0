/**
 * Hashes for telling things apart and for spreading them, not for secrets: 32 bits, the same on every machine. Stored
 * models depend on them, so another one is another layout.
 */

/** The finalizer of MurmurHash3 over an integer up to 2^53. @param salt one whose hashes are to be others */
export const hashOf = (id: number, salt = 0): number => {
  let hash =
    (id >>> 0) ^ Math.imul(Math.floor(id / 2 ** 32), 0x9e3779b1) ^ Math.imul(salt, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/** FNV-1a over the text's code units, finished by `hashOf`. */
export const hashOfText = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hashOf(hash >>> 0);
};
