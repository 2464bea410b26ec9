/** Collects the events of the provider's stream, and adds them to the session. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  let events: unknown[] = [];
  let from = "";
  pi.on("provider_stream_event", async ({ provider, api, model, data }) => {
    from = `${provider} ${api} ${model}`;
    // The stream waits for a slow handler.
    await Promise.resolve();
    events.push(structuredClone(data));
  });
  pi.on("turn_end", () => {
    pi.appendEntry("stream-log", { from, events });
    events = [];
  });
}
