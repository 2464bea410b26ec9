/** What front ends and programs see of a sub-agent. */
import type { EntryId } from "@bough/session/entry/index.js";
import type { Driver } from "../../driver/index.js";
import type { RunLimits } from "../turn/run-limits.js";

/** How a sub-agent ended. `limit`: it reached a limit; `interrupted`: its process was killed. */
export type SubAgentEnd = "done" | "failed" | "stopped" | "limit" | "interrupted";

/** A sub-agent that works, or has worked. Plain data. */
export interface SubAgent {
  /** The entry that its conversation is below. */
  readonly id: EntryId;
  /** The call that started it. */
  readonly toolCallId: string;
  /** The agent file it was made from; `agent` for a general one. */
  readonly name: string;
  /** Its task in a few words. */
  readonly description: string;
  /** `waiting`: until others have ended. */
  readonly state: "waiting" | "running" | SubAgentEnd;
  readonly background: boolean;
  /** 1 if the main agent started it, 2 if a sub-agent did. */
  readonly depth: number;
  /** What it is doing, such as `grep "TODO"`. */
  readonly step: string;
  readonly steps: number;
  readonly tokens: number;
  /** Of everything with a known price. */
  readonly dollars: number;
}

/** How an agent may start others. Omitted values have defaults. */
export interface SpawnOptions {
  /** How many work at once; the others wait. Default: 4. */
  readonly maxRunning?: number;
  /** How many one prompt may start, those of sub-agents included. Default: 20. */
  readonly maxPerPrompt?: number;
  /** Of each. Default: 50 steps, 20 minutes, and 5 dollars for a model with known prices. */
  readonly limits?: RunLimits;
  /** Whether they may work in the background. Without it, the call waits for the answer. Default: yes. */
  readonly background?: boolean;
  /** Makes the driver that an agent file names. Default: `driverNamed`. */
  readonly driver?: (name: string) => Driver;
}

/** How deep sub-agents may start others. */
export const MOST_DEPTH = 2;

export const SPAWN_DEFAULTS = { maxRunning: 4, maxPerPrompt: 20, steps: 50, minutes: 20, dollars: 5 } as const;
