const escapes = /%[0-9a-f]{2}/gi;

/** Percent-encoding with capitals. */
export const upper = (text: string): string => text.replace(escapes, (hex) => hex.toUpperCase());

/** Characters that need no encoding, decoded; the others' encoding with capitals (RFC 3986, 6.2.2). */
export const plain = (text: string): string =>
  upper(text).replace(
    /%(?:2D|2E|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/g,
    decodeURIComponent,
  );
