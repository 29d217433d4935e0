import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../src/package-info.ts";

/**
 * Imports a module from the build and types it as its source. The source itself would be slower than in production,
 * because `tsx` wraps every function it loads to keep the function's name.
 * @param path in `dist/modules/src`, without the extension: `projector/run`
 */
export const importBuilt = async <Module>(path: string): Promise<Module> =>
  (await import(
    pathToFileURL(join(packageRoot, "dist", "modules", "src", `${path}.js`)).href
  )) as Module;
