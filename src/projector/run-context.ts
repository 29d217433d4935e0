import type { ProjectorContext } from "./context.ts";
import type { LogMonitor } from "./continuity/log-monitor.ts";
import type { Interrupt } from "./control/interrupt.ts";

export interface RunContext extends ProjectorContext {
  readonly monitor: LogMonitor;
  readonly interrupt: Interrupt;
}
