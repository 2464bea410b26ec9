/** What a client can change in a session: permission mode, model and thinking level. */
import type {
  SessionConfigOption,
  SessionConfigSelectOption,
  SessionMode,
  SessionModeState,
} from "@agentclientprotocol/sdk/unstable";
import type { DriverOption } from "@bough/agent/driver/index.js";
import { type ModelInfo, THINKING_LEVELS } from "@bough/agent/model/index.js";
import { PERMISSION_MODES, type PermissionMode } from "@bough/agent/tool/index.js";
import { holdsMode, noSuchModeSentence } from "../../command/index.js";
import { resolveModel } from "../start/choose-model.js";
import type { StartedAgent } from "../start/started-agent.js";
import { AcpError } from "./acp-error.js";

const MODES: Readonly<Record<PermissionMode, Omit<SessionMode, "id">>> = {
  plan: { name: "Plan", description: "Only read; the model plans and does not act" },
  ask: { name: "Ask", description: "Ask before files are changed and commands are run" },
  edits: { name: "Edits", description: "Edit files in the folder without asking; ask before commands" },
  auto: { name: "Auto", description: "Do everything the rules allow without asking" },
  "read-only": { name: "Read only", description: "Only read; everything else is refused" },
};

/** Modes that users switch between; others are offered only while in use. */
function offered(current: PermissionMode): readonly PermissionMode[] {
  return PERMISSION_MODES.filter((mode) => mode !== "read-only" || current === "read-only");
}

export function modeState({ agent }: StartedAgent): SessionModeState {
  const current = agent.permissionMode ?? "ask";
  const modes = offered(current).filter((mode) => mode === current || holdsMode(mode, agent.driver));
  return {
    currentModeId: current,
    availableModes: modes.map((id) => ({ id, ...MODES[id] })),
  };
}

export function setMode({ agent }: StartedAgent, wanted: string): void {
  const mode = PERMISSION_MODES.find((one) => one === wanted);
  if (mode === undefined) {
    throw new AcpError("invalidParams", `Unknown mode ${wanted}. Choose one of ${PERMISSION_MODES.join(", ")}`);
  }
  const { driver } = agent;
  if (driver !== undefined && !holdsMode(mode, driver)) {
    throw new AcpError("invalidParams", noSuchModeSentence(mode, driver));
  }
  agent.setPermissionMode(mode);
}

/** With another agent, what it offers; none before that is known. */
export function configOptions(started: StartedAgent): SessionConfigOption[] {
  const { currentModeId, availableModes } = modeState(started);
  const modes = availableModes.map(({ id, name, description = null }) => ({ value: id, name, description }));
  return [
    { id: "mode", name: "Permissions", category: "mode", type: "select", currentValue: currentModeId, options: modes },
    ...(started.agent.driver === undefined ? ownOptions(started) : ofDriver(started.agent.knownDriverOptions)),
  ];
}

function ownOptions({ agent, parts }: StartedAgent): SessionConfigOption[] {
  const model = agent.model?.info;
  const models = parts.registry.available();
  const isListed = models.some((info) => model !== undefined && reference(info) === reference(model));
  const choices = model === undefined || isListed ? models : [model, ...models];
  const levels = THINKING_LEVELS.map((level) => ({ value: level, name: level }));
  return [
    ...(model === undefined
      ? []
      : [select("model", { currentValue: reference(model), options: choices.map(modelOption) })]),
    select("thinking", { currentValue: agent.thinkingLevel, options: levels }),
  ];
}

function ofDriver(options: readonly DriverOption[]): SessionConfigOption[] {
  return options.flatMap(({ option, value, values }) => {
    if (option === "mode" || value === undefined) return [];
    const named = values.map(({ id, name, about = null }) => ({ value: id, name, description: about }));
    return [select(option === "model" ? "model" : "thinking", { currentValue: value, options: named })];
  });
}

const SELECTS = {
  model: { id: "model", name: "Model", category: "model", type: "select" },
  thinking: { id: "thinking", name: "Thinking", category: "thought_level", type: "select" },
} as const;

function select(
  name: keyof typeof SELECTS,
  values: { readonly currentValue: string; readonly options: SessionConfigSelectOption[] },
): SessionConfigOption {
  return { ...SELECTS[name], ...values };
}

function reference({ provider, id }: ModelInfo): string {
  return `${provider}/${id}`;
}

function modelOption(info: ModelInfo): SessionConfigSelectOption {
  return { value: reference(info), name: info.name, description: info.provider };
}

interface Setting {
  readonly configId: string;
  readonly value: unknown;
}

/** Takes effect with the next step. */
export async function setConfigOption(started: StartedAgent, { configId, value }: Setting): Promise<void> {
  const { agent, parts } = started;
  if (typeof value !== "string") throw new AcpError("invalidParams", `${configId} takes a text`);
  const isOther = agent.driver !== undefined;
  switch (configId) {
    case "mode":
      setMode(started, value);
      return;
    case "model":
      if (isOther) await agent.setDriverOption({ option: "model", value });
      else agent.setModel(await resolveModel(parts.registry, value));
      return;
    case "thinking": {
      if (isOther) {
        await agent.setDriverOption({ option: "effort", value });
        return;
      }
      const level = THINKING_LEVELS.find((one) => one === value);
      if (level === undefined) {
        throw new AcpError(
          "invalidParams",
          `Unknown thinking level ${value}. Choose one of ${THINKING_LEVELS.join(", ")}`,
        );
      }
      agent.setThinkingLevel(level);
      return;
    }
    default:
      throw new AcpError("invalidParams", `Unknown option ${configId}. Choose mode, model or thinking`);
  }
}
