import { grouped } from "@bough/session/text/index.js";
import type { ModelInfo } from "../language-model.js";

/** A smaller window cannot hold the instructions, the tools and a few files. */
const LEAST_WINDOW = 16_384;
const ENOUGH = 32_768;

const FIXES: Readonly<Record<string, (id: string) => string>> = {
  ollama: () =>
    `Start Ollama with OLLAMA_CONTEXT_LENGTH=${ENOUGH}, or give the model "PARAMETER num_ctx ${ENOUGH}" in its Modelfile.`,
  lmstudio: (id) => `Load it with a larger context: lms load ${id} --context-length ${ENOUGH}`,
  llamacpp: () =>
    `Start the server with a larger context: llama-server -c ${ENOUGH} (divided among the --parallel slots).`,
  vllm: (id) => `Start the server with a larger context: vllm serve ${id} --max-model-len ${ENOUGH}`,
};

/** A warning about a context window that is too small, with how to get a larger one. */
export function smallWindow(
  info: Pick<ModelInfo, "provider" | "id" | "contextWindow" | "api">,
): { readonly message: string; readonly hint: string } | undefined {
  const { provider, id, contextWindow, api } = info;
  if (api === "offline" || contextWindow >= LEAST_WINDOW) return undefined;
  return {
    message: `${provider}/${id} has a context window of ${grouped(contextWindow)} tokens, too small to work with; at least ${grouped(LEAST_WINDOW)} are needed`,
    hint: Object.hasOwn(FIXES, provider)
      ? (FIXES[provider]?.(id) ?? "")
      : `If the server has more, set contextWindow for it in settings under models.providers.${provider}.models.`,
  };
}
