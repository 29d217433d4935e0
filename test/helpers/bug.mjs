/**
 * Puts two bugs into the projector of a process, loaded before its program (`--import`). One throws when the event with
 * the id `bug` is applied, the other when the derived rows of product 666 are computed.
 */
import { register } from "node:module";

// Source text identifies the code to change, because the build bundles modules and may number their names.
const hooks = `
const bugs = [
  [/applyByType\\d*\\[event\\.type\\]\\(/, '(() => { if (event.id === "bug") throw new Error("a bug"); })() ?? '],
  [/openCounters\\d*\\(stored\\)/, '(() => { if (batch.productCores.changedKeys().has(666)) throw new RangeError("a deep bug"); })() ?? '],
];
export const load = async (url, context, next) => {
  const loaded = await next(url, context);
  if (url.includes("node_modules") || loaded.format !== "module") return loaded;
  const source = bugs.reduce(
    (text, [pattern, bug]) => text.replace(pattern, (match) => bug + match),
    String(loaded.source),
  );
  return { ...loaded, source };
};`;

// Only the projector has them: a thread that changes sources costs every process that starts.
if (/projector-process\.[jt]s$/.test(process.argv[1] ?? "")) {
  register(`data:text/javascript,${encodeURIComponent(hooks)}`);
}
