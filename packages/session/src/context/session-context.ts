import type { AgentMessage } from "../entry/index.js";

export interface ModelChoice {
  readonly provider: string;
  readonly modelId: string;
}

/** The state at the leaf. */
export interface SessionState {
  /** `"off"` where the path names none. */
  readonly thinkingLevel: string;
  /** `null` where the path names none. */
  readonly model: ModelChoice | null;
  /** `"none"` where the path names none. */
  readonly mode: string;
  readonly injectedRules: readonly string[];
  /** What the mode change carried; absent if it carried nothing. */
  readonly modeData?: unknown;
}

/** What a path comes to: the messages as the model will be shown them, and the state at the leaf. */
export interface SessionContext extends SessionState {
  /** Edited and repaired: every tool call has exactly one result, right after its message. */
  readonly messages: AgentMessage[];
}
