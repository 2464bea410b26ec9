import { RPC_PROTOCOL_VERSION, RpcClient, type RpcQuestionHandlers } from "./rpc-client.js";
import { type SpawnOptions, spawnTransport } from "./spawn-transport.js";
import type { RpcTransport } from "./transport.js";

/** Connects to a program, and sets who answers its questions. */
export interface ConnectOptions extends SpawnOptions {
  /** Uses this connection instead of starting a program. */
  readonly transport?: RpcTransport;
  /** Answers questions of extensions and permissions, by the name of the question: `"ui.confirm"`. */
  readonly questions?: RpcQuestionHandlers;
  /** How this client introduces itself to the program. */
  readonly client?: { readonly name: string; readonly version?: string };
}

/**
 * Starts `bough --mode rpc`, or uses a given transport, and agrees on the protocol version. Rejects with an `RpcError`
 * if the program cannot be started or uses another version.
 */
export async function connect(options: ConnectOptions = {}): Promise<RpcClient> {
  const client = new RpcClient(options.transport ?? spawnTransport(options), options.questions);
  try {
    await client.request("initialize", { protocolVersion: RPC_PROTOCOL_VERSION, client: options.client });
  } catch (error) {
    await client.close();
    throw error;
  }
  return client;
}
