import type { ExtensionHooks } from "../extension/index.js";
import type { LanguageModel, ModelInfo, ModelRegistry, ThinkingLevel } from "../model/index.js";
import type { SessionManager } from "../session/index.js";
import type { Tool } from "../tool/index.js";
import type { ProjectContext } from "./project-context.js";
import type { Permit } from "./run-parts.js";
import type { Settings } from "./settings.js";
import type { Sleep } from "./sleep.js";

export interface AgentSessionOptions {
  readonly session: SessionManager;
  readonly registry: ModelRegistry;
  /** Comes before the model of the session's path and before settings. */
  readonly model?: LanguageModel | ModelInfo;
  readonly thinkingLevel?: ThinkingLevel;
  readonly tools: readonly Tool[];
  readonly permit: Permit;
  readonly hooks?: ExtensionHooks;
  readonly settings?: Settings;
  /** Context files, prompt templates and skills; none by default. */
  readonly project?: ProjectContext;
  /** Takes the place of the system prompt made from the project. */
  readonly systemPrompt?: string;
  readonly cwd: string;
  /** A private folder for output that is too long for the context. */
  readonly outputDir: string;
  readonly now?: () => Date;
  readonly sleep?: Sleep;
}
