import type { AssistantMessage, StopReason, Usage } from "@bough/session/entry/index.js";
import { inSlices } from "@bough/session/log/index.js";
import { defined } from "@bough/session/text/index.js";
import { AnswerDraft } from "./answer-draft.js";
import { modelFailure, refusedFailure } from "./failure/model-failure.js";
import type { ModelEvent, ModelFailure, ModelRequest, StreamOptions } from "./language-model.js";
import { messageUsage, NO_USAGE } from "./message-usage.js";
import { idleLimitedFetch } from "./network/idle-limit.js";
import type { Connection, ProviderApi } from "./provider-api.js";
import type { ProviderCall, StreamPart } from "./provider-types.js";
import { SearchParts } from "./search-parts.js";
import { toPrompt } from "./to-prompt.js";
import { watchedFetch } from "./watched-fetch.js";

const CUT_OFF = new Error("the stream ended without a finish");
const NOT_A_STREAM = { name: "NotAStream", message: "it is JSON instead of a stream of events" };

/**
 * Runs one model step. Never throws; the last event has everything that arrived.
 *
 * Does not retry. Leaving the loop early closes the connection.
 */
export async function* streamStep(
  step: { readonly api: ProviderApi; readonly connection: Connection; readonly request: ModelRequest },
  options: StreamOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { api, connection } = step;
  const timestamp = options.now();
  const draft = new AnswerDraft(api);
  const searching = new SearchParts();
  const { request } = step;
  const closing = new AbortController();
  const stop = () => closing.abort();
  const stopped = () => options.signal?.aborted === true;
  options.signal?.addEventListener("abort", stop, { once: true });
  try {
    if (!stopped()) {
      const limited = idleLimitedFetch(connection.fetch, options.idleTimeoutMs);
      const fetch = fetchEndingSoftly(watchedFetch(limited, options), {
        onJson: () => {
          draft.isJson = true;
        },
        onBroken: (cause) => {
          draft.broken ??= { cause };
        },
      });
      for await (const part of parts({ ...step, connection: { ...connection, fetch } }, closing.signal, {
        raw: options.onStreamEvent !== undefined,
      })) {
        // After an abort, ignore what is still in buffers.
        if (stopped()) break;
        if (part.type === "raw") {
          await options.onStreamEvent?.(part.rawValue, connection.info);
          continue;
        }
        if (request.search === true && searching.takes(part)) continue;
        yield* draft.take(part);
      }
    }
  } catch (cause) {
    draft.error ??= { cause };
  } finally {
    options.signal?.removeEventListener("abort", stop);
    closing.abort();
  }

  const { stopReason, failure } = outcome(draft, options, connection);
  const message: AssistantMessage = {
    role: "assistant",
    content: draft.blocks(failure === undefined && stopReason !== "aborted" ? "all" : "onlySound"),
    api: connection.info.api,
    provider: connection.info.provider,
    model: connection.info.id,
    usage: usageOf(draft, connection),
    stopReason,
    ...defined({ errorMessage: failure?.message, responseId: draft.responseId }),
    timestamp,
  };
  yield { type: "end", message, failure, ...(request.search === true ? { sources: searching.sources } : {}) };
}

async function* parts(
  step: { readonly api: ProviderApi; readonly connection: Connection; readonly request: ModelRequest },
  signal: AbortSignal,
  { raw }: { readonly raw: boolean },
): AsyncGenerator<StreamPart, void, undefined> {
  const { api, connection, request } = step;
  const prompt = await inSlices(toPrompt(request, connection.info, api));
  const model = await api.connect(connection);
  const tools: NonNullable<ProviderCall["tools"]> = request.tools.map((tool, at) => ({
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: tool.parameters,
    providerOptions: at === request.tools.length - 1 ? api.lastTool : undefined,
  }));
  if (request.search === true && api.webSearch !== undefined) tools.push(api.webSearch);
  const { stream } = await model.doStream({
    prompt,
    ...(tools.length > 0 && { tools, toolChoice: { type: "auto" } }),
    ...api.settings(connection.info, request, prompt),
    abortSignal: signal,
    ...(raw && { includeRawChunks: true }),
  });
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    // The abort signal closes the connection; waiting for `cancel` on a teed stream could take forever.
    reader.cancel().catch(() => {});
  }
}

function outcome(
  draft: AnswerDraft,
  options: StreamOptions,
  connection: Connection,
): { readonly stopReason: StopReason; readonly failure?: ModelFailure } {
  if (options.signal?.aborted === true) return { stopReason: "aborted" };
  const { info, apiKey } = connection;
  const fail = (cause: unknown) => ({
    stopReason: "error" as const,
    failure: modelFailure(cause, { info, apiKey, now: options.now() }),
  });
  const reason = draft.finish?.finishReason;
  const finished =
    reason !== undefined && reason.unified !== "error" && (reason.unified !== "other" || reason.raw !== undefined);
  // A connection that breaks after the finish does no harm.
  if (draft.broken !== undefined && !finished) return fail(draft.broken.cause);
  const unfinished = draft.isJson && draft.blocks("all").length === 0 ? NOT_A_STREAM : CUT_OFF;
  if (draft.error !== undefined) return fail(isCutOff(draft.error.cause) ? unfinished : draft.error.cause);
  if (reason === undefined) return fail(unfinished);
  switch (reason.unified) {
    case "length":
      return { stopReason: "length" };
    case "content-filter":
      return { stopReason: "error", failure: refusedFailure(info, reason.raw) };
    case "error":
      return fail({
        name: "AI_InvalidResponseDataError",
        message: `the answer ended with ${reason.raw ?? "an error"}`,
      });
    case "other":
      // Some adapters end an interrupted stream normally, but without a reason.
      if (reason.raw === undefined) return fail(unfinished);
      if (draft.blocks("all").length === 0) {
        return fail({ name: "AI_InvalidResponseDataError", message: `the answer was empty (${reason.raw})` });
      }
  }
  const calls = draft.blocks("all").some((block) => block.type === "toolCall");
  return { stopReason: calls ? "toolUse" : "stop" };
}

/** Some adapters report a stream without a finish as an error of their own. */
function isCutOff(cause: unknown): boolean {
  return cause instanceof Error && /stream ended without a finish/i.test(cause.message);
}

/** If a step was stopped or failed before its token counts arrived, the usage is zeros without a cost. */
function usageOf(draft: AnswerDraft, connection: Connection): Usage {
  return draft.finish === undefined ? NO_USAGE : messageUsage(draft.finish.usage, connection.info.prices);
}

type Fetch = typeof globalThis.fetch;

/**
 * A `fetch` whose response body ends instead of failing if the connection breaks; `onBroken` gets the reason. `onJson` is
 * called if the response says that it is JSON; careless servers stream under that name too.
 *
 * An error would overtake and discard the data still queued between the socket and the reader. An end waits its turn,
 * so everything that arrived is delivered. For the same reason, incoming data is read at once.
 */
function fetchEndingSoftly(
  fetch: Fetch,
  { onJson, onBroken }: { readonly onJson: () => void; readonly onBroken: (reason: unknown) => void },
): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || response.body === null) return response;
    if (/^application\/json\b/i.test(response.headers.get("content-type") ?? "")) onJson();
    const reader = response.body.getReader();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        try {
          for (let read = await reader.read(); !read.done; read = await reader.read()) controller.enqueue(read.value);
        } catch (reason) {
          onBroken(reason);
        }
        try {
          controller.close();
        } catch {
          // The reader is already gone.
        }
      },
      cancel: (reason) => reader.cancel(reason),
    });
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}
