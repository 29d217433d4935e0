import { hash } from "node:crypto";
import type { Checkpoint } from "../../schema/checkpoint.ts";

/** The state of the shop that an answer was made from (Contract §11). */
export interface Position {
  readonly epoch: string;
  /** Log sequence of the last event applied. */
  readonly sequence: number;
  /** `{epoch}-{sequence}`: positions of one epoch compare as text. */
  readonly text: string;
  /** ISO 8601: when the log stored that event. */
  readonly asOf: string;
}

/** What was made from one snapshot. */
export interface Positioned {
  /** Undefined before the first event, and of a model without lines. */
  readonly position: Position | undefined;
}

/** Returns the position of a checkpoint. @returns undefined for a checkpoint of a version without lines */
export const toPosition = (checkpoint: Checkpoint): Position | undefined => {
  const epoch = toEpoch(checkpoint);
  if (epoch === undefined) return undefined;
  const { sequence, logTime } = checkpoint;
  const asOf = new Date(logTime).toISOString();
  return { epoch, sequence, text: formatPosition(epoch, sequence), asOf };
};

export const formatPosition = (epoch: string, sequence: number): string =>
  `${epoch}-${String(sequence).padStart(sequenceDigits, "0")}`;

const sequenceDigits = 16;

/** A position as a client sends it. */
export interface RequestedPosition extends Pick<Position, "epoch" | "sequence"> {
  /** When prices and stocks were evaluated, milliseconds since 1970; 0 without an instant. */
  readonly instant: number;
}

/** @returns undefined for a text that is no position */
export const parsePosition = (text: string): RequestedPosition | undefined => {
  const [, epoch, sequence, instant = "0"] = positionForm.exec(text) ?? [];
  if (epoch === undefined || Number(sequence) > Number.MAX_SAFE_INTEGER) return undefined;
  return { epoch, sequence: Number(sequence), instant: Number(instant) };
};

const positionForm = /^([0-9a-z]{12})-(\d{16})(?:\.(\d{13}))?$/;

/** Projections whose rows lines show; another version of one makes another epoch. */
const lineProjections = new Set([
  ...["product", "price", "stock", "category", "page", "carrier", "shop"],
  "feed",
]);

/** Derives the epoch, so that replicas and rebuilds have the same one. @returns undefined without `feed` */
const toEpoch = ({ identity, first, history, projections }: Checkpoint): string | undefined => {
  const versions = projections
    .split(" ")
    .filter((each) => lineProjections.has(each.slice(0, each.indexOf("."))));
  if (!first || versions.length < lineProjections.size) return undefined;
  const source = JSON.stringify([identity.name, first, history ?? "", versions]);
  const digits = BigInt(`0x${hash("sha256", source).slice(0, 16)}`) % 36n ** BigInt(epochLength);
  return digits.toString(36).padStart(epochLength, "0");
};

const epochLength = 12;
