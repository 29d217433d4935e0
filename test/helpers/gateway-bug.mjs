/** Puts a bug into the translators of a gateway, loaded before its program (`--import`): each throws at the title "bug". */
import { register } from "node:module";

// Source text identifies the code to change, because the build bundles modules and may number their names.
const hooks = `
const bug = '(() => { if (JSON.stringify(delivery.body).includes(\\'"title":"bug"\\')) throw new Error("a bug"); })() ?? ';
export const load = async (url, context, next) => {
  const loaded = await next(url, context);
  if (url.includes("node_modules") || loaded.format !== "module") return loaded;
  const call = /\\w+\\.translate\\(delivery, openState\\)/g;
  return { ...loaded, source: String(loaded.source).replace(call, (match) => bug + match) };
};`;

// Other commands of the shell have the variable too.
if (process.argv[2] === "gateway") {
  register(`data:text/javascript,${encodeURIComponent(hooks)}`);
}
