import type { LanguageModel, ModelInfo } from "../language-model.js";
import type { Environment } from "../network/environment.js";
import { asking, withFacts } from "./discover-servers.js";
import { localFacts } from "./local-facts.js";
import { type LocalServer, tokensOf } from "./local-server.js";
import { smallWindow } from "./small-window.js";

interface PreparedOptions {
  readonly server: LocalServer;
  readonly fetch: typeof globalThis.fetch;
  readonly env: Environment;
  /** The window from settings, an upper limit. */
  readonly most: number | undefined;
}

/** A model on a local server. Before each run, asks the server for the model's actual context window. */
export function preparedModel(model: LanguageModel, { server, fetch, env, most }: PreparedOptions): LanguageModel {
  let info = model.info;
  let lastMessage = "";
  return {
    get info(): ModelInfo {
      return info;
    },
    stream: (request, options) => model.stream(request, options),
    async prepare({ signal } = {}) {
      const facts = await localFacts(server, info.id, { ask: asking(fetch, signal), env, load: true });
      const contextWindow = tokensOf(Math.min(facts.contextWindow ?? Number.NaN, most ?? Number.POSITIVE_INFINITY));
      // If the server does not answer or does not report it, keep what is known.
      if (contextWindow !== undefined) info = withFacts(model.info, { ...facts, contextWindow });
      const small = facts.certain ? smallWindow(info) : undefined;
      if (small === undefined || small.message === lastMessage) return undefined;
      lastMessage = small.message;
      return small;
    },
  };
}
