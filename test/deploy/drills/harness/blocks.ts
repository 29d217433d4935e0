/** The blocks of commands of a section: which ones a drill has run, and what they printed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { comparable } from "./comparable.ts";
import type { Installation } from "./installation.ts";
import { anchorOf, type Block, type Section } from "./page.ts";
import type { ShellRun } from "./shell.ts";
import { type BlockOutput, type DrillOutputs, formatOutput, type Shown } from "./shown.ts";

/** Directory for the outputs of a run that writes the runbook; undefined in a test. */
const outputDirectory = process.env.VITRINE_DRILL_OUTPUTS;

export interface Blocks {
  /** Takes the only block to be run that begins with `start`. */
  take(start: string): Block;
  /** Compares the exit code and the output of a block with the runbook. */
  compare(block: Block, run: ShellRun, installation: Installation, shown: Shown): void;
  /** Lists the commands of the blocks that no drill has run. */
  left(): readonly string[];
  /** Writes the outputs to a file, in a run that writes the runbook. */
  write(): void;
}

export const trackBlocks = ({ title, blocks }: Section): Blocks => {
  const open = new Set(blocks.filter(({ isRun }) => isRun));
  const outputs: Record<string, BlockOutput> = {};
  return {
    take(start) {
      const found = [...open].filter(({ commands }) => commands.startsWith(start));
      const [block] = found;
      if (block === undefined || found.length > 1) {
        throw new Error(`${found.length} blocks of "${title}" to be run begin with: ${start}`);
      }
      open.delete(block);
      return block;
    },
    compare(block, run, { substitutions }, shown) {
      assert.is(run.code, shown.code ?? 0, `${block.commands}${run.output}`);
      const output = formatOutput(run, shown, substitutions);
      outputs[block.commands] = { output, numbersVary: shown.numbersVary ?? false };
      if (outputDirectory === undefined) mustEqualPage(block, output, shown);
    },
    left: () => [...open].map(({ commands }) => commands),
    write() {
      if (outputDirectory === undefined) return;
      const written: DrillOutputs = { title, outputs };
      writeFileSync(join(outputDirectory, `${anchorOf(title)}.json`), JSON.stringify(written));
    },
  };
};

const mustEqualPage = (block: Block, output: string, { numbersVary }: Shown): void =>
  assert.is(
    comparable(output, numbersVary),
    comparable(block.output ?? "", numbersVary),
    `${block.commands.trim()}: npx tsx test/deploy/drills/write-runbook.ts writes the output of the commands`,
  );
