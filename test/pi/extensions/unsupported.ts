/** Imports what Bough does not have, and uses it only when told to. */
import { createAgentSession, type ExtensionAPI, RpcClient } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("embed", {
    handler: async () => {
      await createAgentSession({});
    },
  });
  pi.registerCommand("client", {
    handler: async () => {
      new RpcClient({});
    },
  });
}
