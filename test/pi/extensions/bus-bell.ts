/** Rings for whoever asks it to on the bus. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  let rung = 0;
  const stop = pi.events.on("bell:ring", (data) => {
    rung += (data as { times: number }).times;
    pi.events.emit("bell:rung", { rung });
  });
  pi.registerCommand("mute", { handler: async () => stop() });
}
