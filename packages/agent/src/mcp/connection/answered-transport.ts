/** A transport over HTTP on which every request is answered, also if the stream ends that the answer should come on. */
import type { StreamableHTTPClientTransport, Transport } from "@modelcontextprotocol/client";
import { withLoggedConsole } from "./quiet-console.js";
import type { ServerLog } from "./server-log.js";

const CONNECTION_CLOSED = -32_000;

/** The SDK waits for an answer that can no longer come; here the request fails. What the SDK prints goes to the log. */
export function answeredTransport(transport: StreamableHTTPClientTransport, log: ServerLog): Transport {
  const open = new Set<unknown>();
  // The client calls what was there before, and then its own.
  transport.onmessage = (message) => {
    if ("id" in message && !("method" in message)) open.delete(message.id);
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const ids = [message].flat().flatMap((one) => ("method" in one && "id" in one ? [one.id] : []));
    for (const id of ids) open.add(id);
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.();
      for (const id of ids) {
        if (!open.delete(id)) continue;
        const error = { code: CONNECTION_CLOSED, message: "The connection broke before the answer came" };
        transport.onmessage?.({ jsonrpc: "2.0", id, error });
      }
    };
    // Tokens are renewed while something is sent, and the SDK comments on that.
    return withLoggedConsole(log, () => send(message, { ...options, onRequestStreamEnd }));
  };
  return transport;
}
