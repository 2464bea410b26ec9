import type { StreamOptions } from "../../model/index.js";
import type { OperationOptions } from "../agent-parts.js";
import type { RunParts } from "../run-parts.js";

/** What extensions see of requests to a provider. Only events that have a listener. */
export function providerHooks(
  { hooks }: Pick<RunParts, "hooks">,
  { signal }: OperationOptions,
): Pick<StreamOptions, "onPayload" | "onHeaders" | "onResponse" | "onStreamEvent"> {
  return {
    ...(hooks.has("before_provider_request") && {
      onPayload: async (payload) => {
        const event = { type: "before_provider_request", payload } as const;
        const answers = await hooks.emit<"before_provider_request">(event, { signal });
        return answers.at(-1)?.result ?? payload;
      },
    }),
    ...(hooks.has("before_provider_headers") && {
      onHeaders: async (headers) => {
        await hooks.emit<"before_provider_headers">({ type: "before_provider_headers", headers }, { signal });
      },
    }),
    ...(hooks.has("after_provider_response") && {
      onResponse: async ({ status, headers }) => {
        const event = { type: "after_provider_response", status, headers } as const;
        await hooks.emit<"after_provider_response">(event, { signal });
      },
    }),
    ...(hooks.has("provider_stream_event") && {
      onStreamEvent: async (data, { provider, api, id }) => {
        const event = { type: "provider_stream_event", provider, api, model: id, data } as const;
        await hooks.emit<"provider_stream_event">(event, { signal });
      },
    }),
  };
}
