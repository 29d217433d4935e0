/**
 * A drill of a section of the runbook. It runs every block of commands of the section, compares their output with the one in the
 * runbook, and checks at its end that each state, message and metric of the section was observed.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { until } from "../../../helpers/vitrine.ts";
import { comparable } from "./comparable.ts";
import { type Installation, type InstallationOptions, openInstallation } from "./installation.ts";
import { notObserved } from "./observed.ts";
import { anchorOf, type Block, readPage, readSections, type Section, symptomsOf } from "./page.ts";
import { type Shell, type ShellRun, type Started, startCommands } from "./shell.ts";
import { type BlockOutput, type DrillOutputs, formatOutput, type Shown } from "./shown.ts";
import { type ExpectedStatus, reach } from "./status.ts";

/** Directory for the outputs of a run that writes the runbook; undefined in a test. */
const outputDirectory = process.env.VITRINE_DRILL_OUTPUTS;

export interface Drill {
  readonly section: Section;
  test(name: string, run: () => Promise<void>): void;
  /** Creates an installation, which is closed at the end of the drill. */
  install(options?: InstallationOptions): Promise<Installation>;
  /** Starts commands that are not in the runbook. They are stopped at the end of the drill. */
  background(commands: string, shell: Shell): Started;
  /** Registers the end of something, such as a broker. */
  atEnd(close: () => Promise<unknown>): void;
  /** Waits until the service reports a state. */
  reaches(installation: Installation, expected: ExpectedStatus): Promise<void>;
  /** Records a text in which the messages of the section may be, such as the answer of a surface. */
  observe(...texts: readonly string[]): void;
  /** Runs the block of commands that begins with `start`, and compares its output. @returns its output */
  run(start: string, installation: Installation, shown?: Shown): Promise<string>;
  /**
   * Starts the block of commands that begins with `start`, which runs until it is stopped.
   * @returns a function that waits for an output, stops the commands, and compares the output
   */
  start(start: string, installation: Installation, shown?: Shown): StartedBlock;
  /** Starts the block, which begins with `vitrine serve`, and waits until the service is ready. */
  startServe(start: string, installation: Installation): Promise<StartedBlock>;
  /** Runs the tests, and at the end the check that nothing of the section was left out. */
  end(): void;
}

export interface StartedBlock extends Started {
  /** Waits for an output. */
  prints(pattern: RegExp): Promise<void>;
  /** Stops the commands and compares their output. */
  finish(): Promise<void>;
}

export const drillOf = (title: string): Drill => {
  const page = readPage();
  const section = readSections(page).find((each) => each.title === title);
  if (section === undefined) throw new Error(`the runbook has no section "${title}"`);
  const test = suite(`runbook: ${title}`);
  const blocks = trackBlocks(section);
  const texts: string[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  const installations: Installation[] = [];
  const drill: Drill = {
    section,
    test: (name, run) => void test(name, run),
    async install(options) {
      const installation = await openInstallation(options);
      installations.push(installation);
      closing.unshift(() => installation.close());
      return installation;
    },
    background(commands, shell) {
      const started = startCommands(commands, shell);
      closing.unshift(() => started.stop());
      return started;
    },
    atEnd: (close) => void closing.push(close),
    async reaches(installation, expected) {
      texts.push(...(await reach(installation.service(), expected)));
    },
    observe: (...observed) => void texts.push(...observed),
    async run(start, installation, shown = {}) {
      const block = blocks.take(start);
      const run = await startCommands(block.commands, withEnv(installation, shown)).ended;
      texts.push(run.output);
      blocks.compare(block, run, installation, shown);
      return run.output;
    },
    start(start, installation, shown = {}) {
      const block = blocks.take(start);
      const started = drill.background(block.commands, withEnv(installation, shown));
      return {
        ...started,
        async prints(pattern) {
          const isPrinted = async () => pattern.test(started.output());
          await until(isPrinted, Boolean).catch(() => assert.match(started.output(), pattern));
        },
        async finish() {
          const run = await started.stop();
          texts.push(run.output);
          blocks.compare(block, { ...run, code: 0 }, installation, shown);
        },
      };
    },
    async startServe(start, installation) {
      const shown = { lines: 1, env: { LOG_LEVEL: "error" } };
      const started = drill.start(start, installation, shown);
      await started.prints(/answers on/);
      await until(
        () => fetch(`http://127.0.0.1:${installation.env.OPS_PORT}/readyz`),
        ({ status }) => status === 200,
      );
      return started;
    },
    end() {
      test.after(() => closeAll(closing));
      test("every command was run, and every message was seen", () => {
        texts.push(...installations.flatMap(({ logs }) => logs()));
        blocks.write();
        assert.equal(blocks.left(), [], "commands");
        assert.equal(notObserved(section, symptomsOf(page, title), texts), [], "messages");
      });
      test.run();
    },
  };
  return drill;
};

/** Closes services before their brokers. */
const closeAll = async (closing: readonly (() => Promise<unknown>)[]): Promise<void> => {
  for (const close of closing) await close();
};

const withEnv = ({ directory, env }: Installation, shown: Shown) => ({
  directory,
  env: { ...env, ...shown.env },
});

/** Keeps account of the blocks that a drill has run, and of their outputs. */
const trackBlocks = ({ title, blocks }: Section) => {
  const open = new Set(blocks.filter(({ isRun }) => isRun));
  const outputs: Record<string, BlockOutput> = {};
  return {
    take(start: string): Block {
      const found = [...open].filter(({ commands }) => commands.startsWith(start));
      const [block] = found;
      if (block === undefined || found.length > 1) {
        throw new Error(`${found.length} blocks of "${title}" to be run begin with: ${start}`);
      }
      open.delete(block);
      return block;
    },
    compare(block: Block, run: ShellRun, { substitutions }: Installation, shown: Shown): void {
      assert.is(run.code, shown.code ?? 0, `${block.commands}${run.output}`);
      const output = formatOutput(run, shown, substitutions);
      outputs[block.commands] = { output, numbersVary: shown.numbersVary ?? false };
      if (outputDirectory !== undefined) return;
      const [actual, printed] = [output, block.output ?? ""].map((text) =>
        comparable(text, shown.numbersVary),
      );
      const hint = "npx tsx test/deploy/drills/write-runbook.ts writes the output of the commands";
      assert.is(actual, printed, `${block.commands.trim()}: ${hint}`);
    },
    left: (): readonly string[] => [...open].map(({ commands }) => commands),
    write(): void {
      if (outputDirectory === undefined) return;
      const file = join(outputDirectory, `${anchorOf(title)}.json`);
      const written: DrillOutputs = { title, outputs };
      writeFileSync(file, JSON.stringify(written));
    },
  };
};
