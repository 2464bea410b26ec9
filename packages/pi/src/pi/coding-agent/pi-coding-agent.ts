/** What extensions find under `@earendil-works/pi-coding-agent`. */
import { buildSessionContext, getLatestCompactionEntry } from "@bough/session/context/index.js";
import {
  CURRENT_SESSION_VERSION,
  migrateSessionEntries,
  parseSessionEntries,
  SessionManager,
} from "@bough/session/session/index.js";
import { VIRTUAL_MODEL_STATE_ENTRY } from "../adapter/virtual-model.js";
import * as creators from "../tools/create-tools.js";
import { createLocalBashOperations, getShellConfig } from "../tools/shell-operations.js";
import { allUnsupported } from "../unsupported.js";
import * as components from "./components.js";
import { convertToLlm, serializeConversation } from "./conversation.js";
import { generateDiffString, generateUnifiedPatch } from "./diffs.js";
import * as estimates from "./estimates.js";
import { createEventBus } from "./event-bus.js";
import * as guards from "./event-guards.js";
import { withFileMutationQueue } from "./file-queue.js";
import { parseFrontmatter, stripFrontmatter } from "./front-matter.js";
import * as places from "./places.js";
import * as sessions from "./session-parts.js";
import { SettingsManager } from "./settings-manager.js";
import * as summaries from "./summaries.js";
import * as system from "./system.js";
import * as themes from "./theme.js";
import * as truncate from "./truncate.js";

const { useTheme: _use, themeInUse: _inUse, ...themeFunctions } = themes;
const { fileOperations: _files, ...summaryFunctions } = summaries;

/** A tool is its own definition, because it also draws itself. */
const definitions = Object.fromEntries(
  Object.entries(creators).map(([name, create]) => [name.replace(/Tool$/, "ToolDefinition"), create]),
);

function createSyntheticSourceInfo(
  path: string,
  { source, scope = "temporary", origin = "top-level", baseDir }: Readonly<Record<string, string>>,
): object {
  return { path, source, scope, origin, baseDir };
}

/** Parses a prompt in which the user invoked a skill; null for any other text. */
function parseSkillBlock(text: string): object | null {
  const match = /^<skill name="([^"]+)" location="([^"]+)">\n([\s\S]*?)\n<\/skill>(?:\n\n([\s\S]+))?$/.exec(text);
  if (match === null) return null;
  const [, name, location, content, userMessage] = match;
  return { name, location, content, userMessage: userMessage?.trim() || undefined };
}

/** `:10-19` after the path of a read; nothing if a number is not valid. */
function formatReadLineRange(offset: unknown, limit: unknown): string {
  if (offset == null && limit == null) return "";
  const [first, count] = [offset ?? 1, limit ?? 0].map(lineNumber);
  if (first === undefined || count === undefined) return "";
  const last = first + count - 1;
  return limit == null || last === 0 ? `:${first}` : `:${first}-${last}`;
}

function lineNumber(value: unknown): number | undefined {
  const isNumeric = typeof value === "number" || (typeof value === "string" && value.trim() !== "");
  const number = isNumeric ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

const useOurAgent = "Use createAgentSession from bough/agent.";
const useOurProgram = "Run bough as a process, or use bough/agent.";
const noScreen = "Build the view from the components of @earendil-works/pi-tui.";
const useRegistry = "Use ctx.modelRegistry.";
const useInstall = "Use the command `bough install`.";

export const piCodingAgent: Readonly<Record<string, unknown>> = {
  ...places,
  ...truncate,
  ...guards,
  ...components,
  ...themeFunctions,
  ...estimates,
  ...summaryFunctions,
  ...sessions,
  ...system,
  ...creators,
  ...definitions,
  convertToLlm,
  serializeConversation,
  createEventBus,
  withFileMutationQueue,
  parseFrontmatter,
  stripFrontmatter,
  generateDiffString,
  generateUnifiedPatch,
  createLocalBashOperations,
  getShellConfig,
  createSyntheticSourceInfo,
  formatReadLineRange,
  VIRTUAL_MODEL_STATE_ENTRY,
  parseSkillBlock,
  SessionManager,
  SettingsManager,
  buildSessionContext,
  getLatestCompactionEntry,
  parseSessionEntries,
  migrateSessionEntries,
  CURRENT_SESSION_VERSION,
  ...allUnsupported(
    [
      "AgentSession",
      "AgentSessionRuntime",
      "createAgentSession",
      "createAgentSessionFromServices",
      "createAgentSessionRuntime",
      "createAgentSessionServices",
      "createCodemodeExtension",
      "createExtensionRuntime",
      "createMcpExtension",
      "createToolSearchExtension",
      "discoverAndLoadExtensions",
      "ExtensionRunner",
      "wrapRegisteredTool",
      "wrapRegisteredTools",
    ],
    useOurAgent,
  ),
  ...allUnsupported(["main", "parseArgs", "InteractiveMode", "RpcClient", "runPrintMode", "runRpcMode"], useOurProgram),
  ...allUnsupported(
    [
      "ArminComponent",
      "AssistantMessageComponent",
      "BashExecutionComponent",
      "BranchSummaryMessageComponent",
      "CompactionSummaryMessageComponent",
      "CustomMessageComponent",
      "ExtensionEditorComponent",
      "ExtensionInputComponent",
      "ExtensionSelectorComponent",
      "FooterComponent",
      "LoginDialogComponent",
      "ModelSelectorComponent",
      "OAuthSelectorComponent",
      "SessionSelectorComponent",
      "SettingsSelectorComponent",
      "ShowImagesSelectorComponent",
      "SkillInvocationMessageComponent",
      "ThemeSelectorComponent",
      "ThinkingSelectorComponent",
      "ToolExecutionComponent",
      "TreeSelectorComponent",
      "UserMessageComponent",
      "UserMessageSelectorComponent",
    ],
    noScreen,
  ),
  ...allUnsupported(
    [
      "ModelRegistry",
      "ModelRuntime",
      "CredentialSynchronizationError",
      "readStoredCredential",
      "resolveCliModel",
      "resolveModelScopeWithDiagnostics",
    ],
    useRegistry,
  ),
  ...allUnsupported(
    [
      "DefaultPackageManager",
      "DefaultResourceLoader",
      "loadProjectContextFiles",
      "loadSkills",
      "ProjectTrustStore",
      "hasTrustRequiringProjectResources",
    ],
    useInstall,
  ),
  ...allUnsupported(
    [
      "createPowerShellTool",
      "createPowerShellToolDefinition",
      "createLocalPowerShellOperations",
      "getPowerShellConfig",
    ],
    "Use createBashTool.",
  ),
  ...allUnsupported(["convertToPng"], "Read a PNG, JPEG, GIF or WebP file as it is."),
};
