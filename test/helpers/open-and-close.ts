/**
 * A process that uses an LMDB environment concurrently with others. `how` is `reads`, `writes` (both close
 * and open it again each time) or `commits` (it stays open). Its exit code reports a failure, or a commit
 * that was lost when the next one began.
 */
import { type Environment, openEnvironment } from "../../src/lmdb/environment.ts";

const [path = "", how, times] = process.argv.slice(2);

const open = (): Environment<Buffer, string> =>
  openEnvironment({ path, readOnly: how === "reads", encoding: "binary" });

const write = ({ root, write }: Environment<Buffer, string>, turn: number): void =>
  write(() => {
    const found = root.get("turn")?.toString();
    if (turn > 0 && found !== `${turn - 1}`) {
      throw new Error(`the commit before ${turn} is gone: ${found} is there`);
    }
    root.putSync("turn", Buffer.from(`${turn}`));
  });

let kept = open();
for (let turn = 0; turn < Number(times); turn += 1) {
  if (how === "reads") kept.root.get("turn");
  else write(kept, turn);
  if (how === "commits") continue;
  await kept.close();
  kept = open();
}
await kept.close();
