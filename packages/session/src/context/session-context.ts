import type { AgentMessage } from "../entry/index.js";

export interface ModelChoice {
  readonly provider: string;
  readonly modelId: string;
}

/** The state at the leaf. */
export interface SessionState {
  /** `"off"` if the path names none. */
  readonly thinkingLevel: string;
  /** `null` if the path names none. */
  readonly model: ModelChoice | null;
  /** `"none"` if the path names none. */
  readonly mode: string;
  readonly injectedRules: readonly string[];
  /** The data of the mode change; absent if it had none. */
  readonly modeData?: unknown;
}

/** The context of a path: the messages that the model will see, and the state at the leaf. */
export interface SessionContext extends SessionState {
  /** Edited and repaired: every tool call has exactly one result, right after its message. */
  readonly messages: AgentMessage[];
}
