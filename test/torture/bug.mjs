/**
 * Loaded into a process before its program (`--import`): a projector with two bugs. One is met by the event whose id is
 * `bug` as it is folded, the other by the product 666 as what follows from it is derived.
 */
import { register } from "node:module";

const hooks = `
const bugs = [
  [/\\/projector\\/tell\\.[jt]s$/, "return fold(batch, event,", 'if (event.id === "bug") throw new Error("a bug"); '],
  [/\\/derive\\/derive\\.[jt]s$/, "const counters =", 'if (batch.cores.changed().has(666)) throw new RangeError("a deep bug"); '],
];
export const load = async (url, context, next) => {
  const loaded = await next(url, context);
  const [, place, bug] = bugs.find(([file]) => file.test(url)) ?? [];
  if (!place) return loaded;
  const source = String(loaded.source);
  if (!source.includes(place)) throw new Error("there is no place for the bug");
  return { ...loaded, source: source.replace(place, bug + place) };
};`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
