/** What operations are given: each is a function over these parts, and the facade only holds them. */
import type { ExtensionHooks } from "../extension/index.js";
import type { LanguageModel, ThinkingLevel } from "../model/index.js";
import type { SessionManager } from "../session/index.js";
import type { AgentEvent } from "./agent-events.js";
import type { MoveHistory } from "./move/move-history.js";

export interface CompactionSettings {
  readonly enabled: boolean;
  /** Tokens kept free for the answer: compaction runs when the context passes the window minus this. */
  readonly reserveTokens: number;
  /** About so many tokens at the end of the path are kept word for word. */
  readonly keepRecentTokens: number;
}

export interface AgentParts {
  /** The current session. The object stays the same when the agent goes to another file. */
  readonly session: SessionManager;
  /** Undefined where no model is chosen. */
  readonly model: LanguageModel | undefined;
  readonly thinkingLevel: ThinkingLevel;
  readonly hooks: ExtensionHooks;
  readonly compaction: CompactionSettings;
  /** Where undo and redo lead. One per agent: it starts afresh by itself when the session is another one. */
  readonly moves: MoveHistory;
  readonly now: () => Date;
  emit(event: AgentEvent): void;
}

/** Options every operation takes. */
export interface OperationOptions {
  readonly signal: AbortSignal;
}
