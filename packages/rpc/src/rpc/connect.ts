import { RPC_PROTOCOL_VERSION, RpcClient, type RpcQuestionHandlers } from "./rpc-client.js";
import { type SpawnOptions, spawnTransport } from "./spawn-transport.js";
import type { RpcTransport } from "./transport.js";

/** Which program to talk to, and who answers its questions. */
export interface ConnectOptions extends SpawnOptions {
  /** Talks over this instead of starting a program. */
  readonly transport?: RpcTransport;
  /** Answers to what extensions and permissions ask, by the name of the question: `"ui.confirm"`. */
  readonly questions?: RpcQuestionHandlers;
  /** What the program is told about this client. */
  readonly client?: { readonly name: string; readonly version?: string };
}

/**
 * Starts `bough --mode rpc`, or takes a transport, and agrees on the protocol. Rejects with an `RpcError` if the program
 * cannot be started or speaks another version.
 */
export async function connect(options: ConnectOptions = {}): Promise<RpcClient> {
  const client = new RpcClient(options.transport ?? spawnTransport(options), options.questions);
  const about = options.client === undefined ? {} : { client: options.client };
  try {
    await client.request("initialize", { protocolVersion: RPC_PROTOCOL_VERSION, ...about });
  } catch (error) {
    await client.close();
    throw error;
  }
  return client;
}
