/**
 * Loaded into a process before its program (`--import`): a projector with two bugs. One is met by the event whose id is
 * `bug` as it is folded, the other by the product 666 as what follows from it is derived.
 */
import { register } from "node:module";

// The build joins modules and may number their names, so each place is found by its text.
const hooks = `
const bugs = [
  [/applyByType\\d*\\[event\\.type\\]\\(/, '(() => { if (event.id === "bug") throw new Error("a bug"); })() ?? '],
  [/const counters = openCounters/, 'if (batch.productCores.changedKeys().has(666)) throw new RangeError("a deep bug"); '],
];
export const load = async (url, context, next) => {
  const loaded = await next(url, context);
  if (url.includes("node_modules") || loaded.format !== "module") return loaded;
  const source = bugs.reduce(
    (text, [place, bug]) => text.replace(place, (found) => bug + found),
    String(loaded.source),
  );
  return { ...loaded, source };
};`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
