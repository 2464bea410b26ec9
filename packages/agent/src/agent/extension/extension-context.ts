import type { SessionManager } from "@bough/session/session/index.js";
import { defined, errorText } from "@bough/session/text/index.js";
import type { ContextUsage, ExtensionContext, ExtensionModels, ReadOnlySession } from "../../extension/index.js";
import { exec } from "../../extension/run.js";
import type { ModelRegistry } from "../../model/index.js";
import type { AgentSession } from "../agent-session.js";
import { contextTokens } from "../summary/token-estimate.js";
import { complete } from "./complete.js";
import type { ExtensionHostOptions } from "./host-options.js";

/** The context of handlers and tools. Every field is read on access, so it is never stale. */
export function extensionContext(agent: () => AgentSession, options: ExtensionHostOptions): ExtensionContext {
  const { cwd, ui, hasUi, mode = "library", trusted = false } = options;
  return {
    cwd,
    ui,
    mode,
    hasUi,
    hasUI: hasUi,
    get model() {
      return agent().model?.info;
    },
    get thinkingLevel() {
      return agent().thinkingLevel;
    },
    get modelRegistry() {
      return extensionModels(agent().registry);
    },
    get sessionManager() {
      return readOnly(agent().session);
    },
    get signal() {
      return agent().signal;
    },
    isIdle: () => agent().operation === undefined,
    isProjectTrusted: () => trusted,
    abort: () => void agent().abort(),
    hasPendingMessages: () => agent().queued.steering.length + agent().queued.followUp.length > 0,
    shutdown: () => shutdown(agent(), options),
    getContextUsage: () => contextUsage(agent()),
    compact: ({ customInstructions, onComplete, onError } = {}) => {
      // Not awaited: errors in a callback are reported, and so is a failure without a callback.
      compactWhenFree(agent(), customInstructions)
        .then(onComplete, (error: Error) => {
          if (onError === undefined) throw error;
          onError(error);
        })
        .catch((error: unknown) => ui.notify(`compact: ${errorText(error)}`, "error"));
    },
    getSystemPrompt: () => agent().systemPrompt,
    complete: (request) => complete(agent(), typeof request === "string" ? { prompt: request } : request),
    get session() {
      return limited(agent());
    },
    get entries() {
      return agent().session.getEntries();
    },
    get currentPath() {
      return agent().session.getBranch();
    },
    exec: (command, args, given) => exec(command, args, { cwd, ...defined(given) }),
    branch: (entryId) => agent().fork(entryId),
    branchInPlace: (parentId, summary) => agent().branchInPlace(parentId, summary),
    navigateTree: (targetId, given) => agent().navigateTree(targetId, given),
    saveEntry: async (entry) => agent().saveEntry(entry),
    // The context is rebuilt for every model step, so nothing can be stale.
    rebuildContext: async () => {},
  };
}

/** A handler may request it during a run; it happens afterwards. */
async function compactWhenFree(agent: AgentSession, instructions: string | undefined) {
  await agent.whenIdle();
  const outcome = await agent.compact(instructions);
  if (outcome.kind !== "done") throw new Error(`The compaction was ${outcome.kind}`);
  const { id, summary, firstKeptEntryId = id, tokensBefore, details } = outcome.entry;
  return { summary, firstKeptEntryId, tokensBefore, details };
}

function shutdown(agent: AgentSession, { shutdown: end, ui }: ExtensionHostOptions): void {
  agent
    .whenIdle()
    .then(() => (end === undefined ? agent.dispose() : end()))
    .catch((error: unknown) => ui.notify(`shutdown: ${errorText(error)}`, "error"));
}

function contextUsage({ contextWindow, session }: AgentSession): ContextUsage | undefined {
  if (contextWindow === undefined || !(contextWindow > 0)) return undefined;
  const { tokens } = contextTokens(session);
  return { tokens, contextWindow, percent: (tokens / contextWindow) * 100 };
}

/** Only the documented methods: the whole agent would let an extension prompt as the user. */
function limited(agent: AgentSession): ExtensionContext["session"] {
  return {
    get isStreaming() {
      return agent.isStreaming;
    },
    sendMessage: (message, options) => void agent.sendMessage(message, options),
    abort: () => void agent.abort(),
    compact: (instructions) => agent.compact(instructions),
    label: (targetId, label) => agent.label(targetId, label),
    rename: (name) => agent.rename(name),
  };
}

const READING = [
  "getBranch",
  "getChildren",
  "getCurrentLeaf",
  "getCwd",
  "getEntries",
  "getEntry",
  "getHeader",
  "getLabel",
  "getLeafEntry",
  "getLeafId",
  "getSessionDir",
  "getSessionFile",
  "getSessionId",
  "getSessionName",
  "getTree",
  "buildSessionContext",
] as const satisfies readonly (keyof ReadOnlySession)[];

/** Read methods only: a write that bypasses the agent could land between a call and its result. */
function readOnly(session: SessionManager): ReadOnlySession {
  const view: Partial<Record<keyof ReadOnlySession, unknown>> = {};
  for (const name of READING) view[name] = session[name].bind(session);
  return view as unknown as ReadOnlySession;
}

/** The registry, with the name that extensions of this family use for keys. */
function extensionModels(registry: ModelRegistry): ExtensionModels {
  return {
    all: () => registry.all(),
    available: () => registry.available(),
    resolve: (reference) => registry.resolve(reference),
    apiKey: (provider) => registry.apiKey(provider),
    open: (info) => registry.open(info),
    freshKey: registry.freshKey?.bind(registry),
    logins: registry.logins?.bind(registry),
    refreshModels: registry.refreshModels?.bind(registry),
    getApiKey: async (model) => {
      const provider = typeof model === "string" ? model : model.provider;
      return registry.freshKey === undefined ? registry.apiKey(provider) : registry.freshKey(provider);
    },
  };
}
