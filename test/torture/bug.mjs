/** Loaded into a process before its program (`--import`): a projector with a bug, met by the event whose id is `bug`. */
import { register } from "node:module";

const hooks = `
const fold = "return fold(batch, event,";
export const load = async (url, context, next) => {
  const loaded = await next(url, context);
  if (!/\\/projector\\/tell\\.[jt]s$/.test(url)) return loaded;
  const source = String(loaded.source);
  if (!source.includes(fold)) throw new Error("there is no place for the bug");
  return { ...loaded, source: source.replace(fold, 'if (event.id === "bug") throw new Error("a bug"); ' + fold) };
};`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
