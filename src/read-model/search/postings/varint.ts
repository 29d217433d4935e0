/** Variable-length encoding of numbers and texts. Integers up to 2^53 take a byte for each 7 bits. */

export type ByteWriter = ReturnType<typeof createByteWriter>;

export const createByteWriter = () => {
  let buffer = Buffer.allocUnsafe(4096);
  let at = 0;
  const reserve = (bytes: number): void => {
    if (at + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, at + bytes));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  };
  const integer = (value: number): void => {
    reserve(8);
    let rest = value;
    while (rest >= 0x10000000) {
      buffer[at++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest >= 0x80) {
      buffer[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    buffer[at++] = rest;
  };
  return {
    integer,
    byte(value: number): void {
      reserve(1);
      buffer[at++] = value;
    },
    text(value: string): void {
      if (value === "") {
        integer(0);
        return;
      }
      const bytes = Buffer.byteLength(value);
      integer(bytes);
      reserve(bytes);
      at += buffer.write(value, at);
    },
    bytes(value: Buffer): void {
      reserve(value.length);
      at += value.copy(buffer, at);
    },
    /** Copies the written bytes and empties the writer. */
    take(): Buffer {
      const copy = Buffer.from(buffer.subarray(0, at));
      at = 0;
      return copy;
    },
  };
};

export type ByteReader = ReturnType<typeof createByteReader>;

export const createByteReader = (first: Buffer) => {
  let [bytes, at] = [first, 0];
  const integer = (): number => {
    let byte = bytes[at++] ?? 0;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let unit = 128;
    do {
      byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * unit;
      unit *= 128;
    } while (byte >= 0x80);
    return value;
  };
  return {
    integer,
    /**
     * Reads integers into a list. Its bytes and position are local, so that V8 keeps them in registers.
     * @param above what is stored above each value
     */
    integers(into: number[], count: number, above = 0): number[] {
      const source = bytes;
      let position = at;
      for (let index = 0; index < count; index += 1) {
        const byte = source[position] ?? 0;
        if (byte < 0x80) {
          into[index] = byte - above;
          position += 1;
          continue;
        }
        at = position;
        into[index] = integer() - above;
        position = at;
      }
      at = position;
      return into;
    },
    byte: (): number => bytes[at++] ?? 0,
    text(): string {
      const length = integer();
      at += length;
      return length === 0 ? "" : bytes.toString("utf8", at - length, at);
    },
    /** Goes on in other bytes, because a reader of its own for each product takes longer than to read it. */
    open(other: Buffer, start: number): void {
      bytes = other;
      at = start;
    },
    /** Passes over bytes. @returns where they begin */
    skip(length: number): number {
      at += length;
      return at - length;
    },
    /** Reads the next bytes as a view, without a copy. */
    bytes(length: number): Buffer {
      at += length;
      return bytes.subarray(at - length, at);
    },
    /** Reads the remaining bytes as a view, without a copy. */
    rest(): Buffer {
      const remaining = bytes.subarray(at, bytes.length);
      at = bytes.length;
      return remaining;
    },
    done: (): boolean => at >= bytes.length,
  };
};
