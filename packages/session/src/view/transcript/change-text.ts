/** Changes of state, each in a few words. */
import { DRIVER_TYPE, type SessionEntry } from "../../entry/index.js";
import { firstWords, isRecord } from "../../text/index.js";

/** "model acme/m-1"; undefined for entries without a change worth showing. */
export function changeText(entry: SessionEntry): string | undefined {
  switch (entry.type) {
    case "model_change": {
      const named = [words(entry.provider), words(entry.modelId)].filter((part) => part !== "").join("/");
      const model = named || words(entry.model);
      return model === "" ? undefined : `model ${model}${words(entry.role) === "" ? "" : ` for ${words(entry.role)}`}`;
    }
    case "thinking_level_change":
      return `thinking ${words(entry.thinkingLevel) || "off"}`;
    case "mode_change":
      return words(entry.mode) === "" ? undefined : `mode ${words(entry.mode)}`;
    case "ttsr_injection": {
      const rules: unknown = entry.injectedRules;
      return Array.isArray(rules) ? `rules ${rules.map(words).join(", ")}` : undefined;
    }
    case "context_edit":
      return entry.replacement === null
        ? `left out of the context: ${words(entry.targetId)}`
        : `changed in the context: ${words(entry.targetId)}`;
    case "custom":
      return pinText(entry.customType, entry.data) ?? driverText(entry.customType, entry.data);
    default:
      return undefined;
  }
}

/** See the agent's pins. */
const PIN_TYPE = "bough.pin";

function pinText(customType: string, data: unknown): string | undefined {
  if (customType !== PIN_TYPE || !isRecord(data)) return undefined;
  return `${data.pinned === false ? "unpinned" : "pinned"}: ${words(data.targetId)}`;
}

function driverText(customType: string, data: unknown): string | undefined {
  if (customType !== DRIVER_TYPE || !isRecord(data)) return undefined;
  const source = data.records === "protocol" ? ", recorded from the protocol" : "";
  return `turns by ${[data.agent, data.version].map(words).join(" ").trim()}${source}`;
}

function words(value: unknown): string {
  return typeof value === "string" ? firstWords(value, 100) : "";
}
