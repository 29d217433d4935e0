/** `npm run torture`: the long form of every test in this folder. `-- --seed N` repeats the choices of another run. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packageRoot } from "../../src/root.ts";

const { values, positionals } = parseArgs({
  options: { seed: { type: "string" } },
  allowPositionals: true,
});
const seed = values.seed ?? String(Date.now() % 1_000_000_000);
console.log(`torture with seed ${seed}; again with: npm run torture -- --seed ${seed}`);
const patterns = positionals.map((name) => join("torture", name));
const child = spawn(
  process.execPath,
  [
    "--import",
    "tsx",
    join(packageRoot, "test", "run.ts"),
    ...(patterns.length > 0 ? patterns : ["torture/"]),
  ],
  {
    cwd: packageRoot,
    stdio: "inherit",
    env: { ...process.env, VITRINE_TORTURE: "long", VITRINE_SEED: seed },
  },
);
const [code] = await once(child, "exit");
process.exitCode = code ?? 1;
