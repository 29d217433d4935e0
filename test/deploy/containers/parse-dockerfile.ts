export interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

/** One `FROM` with the instructions up to the next. */
export interface StageSource {
  readonly base: string;
  /** Name after `AS`; empty for a stage without one. */
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

/** Parses a Dockerfile into its stages. */
export const parseDockerfile = (text: string): readonly StageSource[] => {
  const instructions = text
    .replaceAll(/^\s*#.*\n/gm, "")
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map(parseInstruction);
  const starts = instructions.flatMap(({ keyword }, at) => (keyword === "FROM" ? [at] : []));
  return starts.map((at, stage) => toStage(instructions.slice(at, starts[stage + 1])));
};

const parseInstruction = (line: string): Instruction => {
  const [keyword = ""] = line.split(/\s/, 1);
  return { keyword, text: line.slice(keyword.length).trim() };
};

const toStage = ([from, ...instructions]: readonly Instruction[]): StageSource => {
  const [base = "", , name = ""] = from?.text.split(/\s+/) ?? [];
  return { base, name, instructions };
};
