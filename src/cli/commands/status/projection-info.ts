import { projections } from "../../../../projections/index.ts";

/** A projection, with the version that wrote a model and the version of this program. */
export interface ProjectionInfo {
  readonly name: string;
  /** Null when the writer of the model did not have it. */
  readonly version: number | null;
  /** Null when this program does not have it. */
  readonly program: number | null;
}

/**
 * Compares the projections that wrote a model with those of this program.
 * @param written as a checkpoint stores them: `product.1 price.1 …`
 * @returns the model's projections in their sequence, then those that only this program has
 */
export const compareProjections = (written: string): readonly ProjectionInfo[] => {
  const own = new Map<string, number>(projections.map(({ name, version }) => [name, version]));
  const stored = written.split(" ").filter(Boolean).map(parseProjection);
  const names = new Set(stored.map(({ name }) => name));
  const added = [...own].filter(([name]) => !names.has(name));
  return [
    ...stored.map(({ name, version }) => ({ name, version, program: own.get(name) ?? null })),
    ...added.map(([name, program]) => ({ name, version: null, program })),
  ];
};

const parseProjection = (text: string): { readonly name: string; readonly version: number } => {
  const dot = text.lastIndexOf(".");
  return { name: text.slice(0, dot), version: Number(text.slice(dot + 1)) };
};

/** True when another version of the projection wrote the model. */
export const hasDifferentVersion = ({ version, program }: ProjectionInfo): boolean =>
  version !== program;
