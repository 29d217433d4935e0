import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { jobs, type Wanted } from "./plan.ts";

export interface Options extends Wanted {
  /** Number of concurrent parts. */
  readonly width: number;
  /** Also run parts that passed before with the same code. */
  readonly again: boolean;
}

const integer =
  (least: number) =>
  (text: string): number => {
    const number = Number(text);
    if (Number.isSafeInteger(number) && number >= least) return number;
    throw new InvalidArgumentError(`Give a whole number from ${least}.`);
  };

const names = jobs.map(({ name }) => name).join(", ");

const jobNames = (text: string): readonly string[] => {
  const only = text.split(",");
  const unknown = only.filter((name) => !jobs.some((job) => job.name === name));
  if (unknown.length === 0) return only;
  throw new InvalidArgumentError(`No such job: ${unknown.join(", ")}. There are ${names}.`);
};

const shardOf = (text: string): Wanted["shard"] => {
  const [at = 0, of = 0] = text.split("/").map(Number);
  if (Number.isInteger(at) && Number.isInteger(of) && at >= 1 && at <= of) return [at, of];
  throw new InvalidArgumentError("Give which part of how many, such as 2/5.");
};

const examples = `
Jobs: ${names}.

Examples:
  npm run torture
  npm run torture -- --only faults,requests --seed 7
  npm run torture -- --only soak --count 120
  npm run torture -- --shard 2/5 --width 2
  npm run torture -- --only faults --seed 7 --again

With the same seed a run goes on where it was ended: parts that passed before are left out, unless the program or the tests
were changed since then. Exit code 1: something failed; 2: it was called wrongly.`;

const program = new Command("npm run torture --")
  .description("The long form of the tests that try at random, part by part.")
  .addOption(new Option("--only <jobs>", "only these jobs").argParser(jobNames).default([], "all"))
  .addOption(
    new Option("--seed <number>", "the choices of another run")
      .argParser(integer(0))
      .default(Date.now() % 1_000_000_000, "another each time"),
  )
  .addOption(
    new Option("--count <number>", "so many of each job instead of all").argParser(integer(1)),
  )
  .addOption(
    new Option("--shard <part/parts>", "every so manyth part: for as many machines")
      .argParser(shardOf)
      .default([1, 1], "1/1"),
  )
  .addOption(new Option("--width <number>", "parts at a time").argParser(integer(1)).default(1))
  .option("--again", "run parts too that passed before, with this same code", false)
  .addHelpText("after", examples)
  .allowExcessArguments(false)
  .exitOverride();

/** Reads the command line. @returns the exit code when nothing is left to do, as after help or an error */
export const readOptions = (args: readonly string[]): Options | number => {
  try {
    return program.parse(args, { from: "user" }).opts<Options>();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
};
