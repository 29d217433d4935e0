/** Keeps of `vitrine status --watch` the first line of each of these states; the lines between them vary. */
export const firstLineOf =
  (...states: readonly string[]) =>
  (output: string): string =>
    states
      .map((state) => output.split("\n").find((line) => line.split("  ")[1]?.startsWith(state)))
      .map((line) => line ?? "")
      .join("\n…\n");
