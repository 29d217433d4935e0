import { join } from "node:path";
import { packageRoot } from "../../src/package-info.ts";

/** Directory of the bundled tests; undefined when a single test runs with tsx. */
const bundle = process.env.VITRINE_TEST_BUNDLE;

/**
 * Builds the arguments of `node` for a module of the tests that runs as a process of its own.
 * @param path below the package, without extension; `test/bundle.ts` lists it
 */
export const testProgram = (path: string): readonly string[] =>
  bundle === undefined
    ? ["--import", "tsx", join(packageRoot, `${path}.ts`)]
    : [join(bundle, `${path}.js`)];
