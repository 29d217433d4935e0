import { type Logger, pino } from "pino";

export type { Logger };

/**
 * Structured logs on standard error, so that a command's own output stays clean.
 * @param level a pino level; `silent` for none.
 */
export const createLogger = (level: string, name: string): Logger =>
  pino(
    { level, name, redact: ["authorization", "token", "headers.authorization"] },
    pino.destination(2),
  );
