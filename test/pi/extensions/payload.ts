/** Sets a field of the request, adds a header, and says how the provider answered. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("before_provider_request", (event) => ({ ...(event.payload as object), temperature: 0.25 }));
  pi.on("before_provider_headers", (event) => {
    event.headers["x-trace"] = "trace-7";
  });
  pi.on("after_provider_response", (event, ctx) => {
    ctx.ui.notify(`status ${event.status}`, "info");
  });
}
