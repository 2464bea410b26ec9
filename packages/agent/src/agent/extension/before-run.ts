/** Extension hooks between a prompt and its run. */
import type { ImageBlock } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { CustomMessageInput } from "../../extension/index.js";
import type { AgentState } from "../agent-state.js";

interface StartingRun {
  readonly prompt: string;
  readonly images: readonly ImageBlock[];
  readonly signal: AbortSignal;
}

/** Sets the run's system prompt if an extension changed it. Returns the messages to add after the prompt. */
export async function askBeforeRun(
  state: AgentState,
  { prompt, images, signal }: StartingRun,
): Promise<readonly CustomMessageInput[]> {
  if (!state.hooks.has("before_agent_start")) return [];
  const options = state.systemPromptOptions();
  const answers = await state.hooks.emit<"before_agent_start">(
    {
      type: "before_agent_start",
      prompt,
      images: images.length === 0 ? undefined : images,
      // Read again for each handler: an earlier one may have changed what it is made of.
      get systemPrompt() {
        return state.renderPrompt(options);
      },
      systemPromptOptions: options,
    },
    { signal },
  );
  const results = answers.map(({ result }) => result).filter(isRecord);
  const forced = results.findLast(({ systemPrompt }) => typeof systemPrompt === "string")?.systemPrompt;
  const prepared = typeof forced === "string" ? forced : state.renderPrompt(options);
  // If unchanged, keep the agent's own, so that tools toggled during the run still change it.
  if (prepared !== state.systemPrompt) state.setRunPrompt(prepared);
  return results.flatMap(({ message }) =>
    isMessage(message) ? [{ ...message, display: message.display ?? true }] : [],
  );
}

function isMessage(value: unknown): value is CustomMessageInput {
  if (!isRecord(value) || typeof value.customType !== "string") return false;
  return typeof value.content === "string" || Array.isArray(value.content);
}
