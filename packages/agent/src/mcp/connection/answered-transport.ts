/** An HTTP transport that answers every request, even if the stream for the response ends early. */
import type { StreamableHTTPClientTransport, Transport } from "@modelcontextprotocol/client";
import { withLoggedConsole } from "./logged-console.js";
import type { ServerLog } from "./server-log.js";

const CONNECTION_CLOSED = -32_000;

/**
 * The SDK would wait forever for such a response; this makes the request fail. Console output of the SDK goes to the
 * log.
 */
export function answeredTransport(transport: StreamableHTTPClientTransport, log: ServerLog): Transport {
  const open = new Set<unknown>();
  // The client chains this handler before its own.
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
        const error = { code: CONNECTION_CLOSED, message: "The connection was lost before the response arrived" };
        transport.onmessage?.({ jsonrpc: "2.0", id, error });
      }
    };
    // Sending may renew tokens, about which the SDK prints messages.
    return withLoggedConsole(log, () => send(message, { ...options, onRequestStreamEnd }));
  };
  return transport;
}
