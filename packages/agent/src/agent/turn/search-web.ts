/** A web search by the provider of the model in use: one request of its own, in which only the provider's tool is offered. */
import { contentText } from "@bough/session/entry/index.js";
import type { ModelRequest } from "../../model/index.js";
import { ToolFailure, type WebSearchResult } from "../../tool/index.js";
import type { RunParts } from "../run-parts.js";

const SYSTEM =
  "Search the web for what the message asks, and report what you find: facts, dates, versions and short quotes, with the " +
  "sources. Do not answer from memory. If you find nothing, say so.";

/** Throws a ToolFailure if the provider cannot search, or the request fails. Its cost is counted and recorded. */
export async function searchWeb(
  parts: RunParts,
  { query, signal }: { readonly query: string; readonly signal: AbortSignal },
): Promise<WebSearchResult> {
  const { model, now, session, retry } = parts;
  if (model?.searchesWeb !== true) throw new ToolFailure("The provider of this model offers no web search.");
  const { provider, id } = model.info;
  const by = `${provider}/${id}`;
  const request: ModelRequest = {
    system: SYSTEM,
    messages: [{ role: "user", content: query, timestamp: now().getTime() }],
    tools: [],
    // Some models search only if they think.
    thinkingLevel: model.info.reasoning ? "low" : "off",
    search: true,
  };
  const options = { signal, now: () => now().getTime(), idleTimeoutMs: retry.idleTimeoutMs };
  for await (const event of model.stream(request, options)) {
    if (event.type !== "end") continue;
    const { message, failure, sources = [] } = event;
    const { input, output, cacheRead, cacheWrite } = message.usage;
    if (input + output + cacheRead + cacheWrite > 0) {
      parts.meter?.spend(message.usage);
      const entry = session.appendUsage({ kind: "web_search", provider, model: id, usage: message.usage });
      parts.emit({ type: "entries", ids: [entry] });
    }
    if (failure !== undefined) throw new ToolFailure(`The search failed: ${failure.message}`);
    return { text: contentText(message.content).trim(), sources, by };
  }
  throw new ToolFailure("The search was stopped.");
}
