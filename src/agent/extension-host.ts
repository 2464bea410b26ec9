import type { ExtensionContext, ExtensionUi, ReadOnlySession } from "../extension/index.js";
import { type ExtensionHost, exec } from "../extension/run.js";
import type { SessionManager } from "../session/index.js";
import type { AgentSession } from "./agent-session.js";

export interface ExtensionHostOptions {
  /** Default: the agent that was created with this host as its `extensionHost`. */
  readonly agent?: () => AgentSession;
  readonly cwd: string;
  readonly ui: ExtensionUi;
  /** Whether a user can answer `ui`. */
  readonly hasUi: boolean;
  /** Whether the agent gets a tool that an extension registers later. Default: every tool. */
  readonly takesTool?: (name: string) => boolean;
}

/** Extensions are loaded before there is an agent, because its tools and hooks come from them. */
export interface AgentExtensionHost extends ExtensionHost {
  /** Called by the agent when it is created, before `session_start`. */
  attach(agent: AgentSession): void;
}

/** What extensions may do with an agent. It has no `prompt`: an extension sends messages instead. */
export function extensionHost(options: ExtensionHostOptions): AgentExtensionHost {
  const { cwd, ui, hasUi, takesTool = () => true } = options;
  let attached: AgentSession | undefined;
  const agent = (): AgentSession => {
    const found = options.agent?.() ?? attached;
    if (found === undefined) throw new Error("There is no session yet while extensions are loaded");
    return found;
  };
  return {
    attach: (created) => {
      attached = created;
    },
    toolRegistered: (tool) => {
      if (!takesTool(tool.name)) return;
      const others = agent().tools.filter(({ name }) => name !== tool.name);
      agent().setTools([...others, tool]);
    },
    sendMessage: (message, triggerTurn) => void agent().sendMessage(message, triggerTurn),
    appendEntry: (customType, data) => agent().appendEntry(customType, data),
    context: (): ExtensionContext => ({
      cwd,
      ui,
      hasUi,
      get session() {
        return limited(agent());
      },
      get sessionManager() {
        return readOnly(agent().session);
      },
      get modelRegistry() {
        return agent().registry;
      },
      get entries() {
        return agent().session.getEntries();
      },
      get currentPath() {
        return agent().session.getBranch();
      },
      exec: (command, args, options) => exec(command, args, { cwd, ...options }),
      branch: (entryId) => agent().fork(entryId),
      branchInPlace: (parentId, summary) => agent().branchInPlace(parentId, summary),
      navigateTree: (targetId, options) => agent().navigateTree(targetId, options),
      saveEntry: async (entry) => agent().saveEntry(entry),
      // The context is rebuilt for every model step, so there is nothing that could be out of date.
      rebuildContext: async () => {},
    }),
  };
}

/** Only what is promised: the whole agent would let an extension prompt in the user's name. */
function limited(agent: AgentSession): ExtensionContext["session"] {
  return {
    get isStreaming() {
      return agent.isStreaming;
    },
    sendMessage: (message, triggerTurn) => void agent.sendMessage(message, triggerTurn),
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

/** The methods that read, and no others: a write past the agent could come between a call and its result. */
function readOnly(session: SessionManager): ReadOnlySession {
  const view: Partial<Record<keyof ReadOnlySession, unknown>> = {};
  for (const name of READING) view[name] = session[name].bind(session);
  return view as unknown as ReadOnlySession;
}
