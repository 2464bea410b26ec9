/** The capabilities of the client. */
import type { ClientCapabilities, InitializeRequest } from "@agentclientprotocol/sdk/unstable";

export interface ClientFacts {
  readonly readsFiles: boolean;
  readonly writesFiles: boolean;
  readonly terminals: boolean;
  /** It can show forms, so a user can be asked for text. */
  readonly forms: boolean;
  readonly notices: boolean;
  readonly compaction: boolean;
  /** It can run our login in a terminal. */
  readonly terminalLogin: boolean;
}

export function clientFacts({ clientCapabilities }: Pick<InitializeRequest, "clientCapabilities">): ClientFacts {
  const { fs, terminal, session, elicitation, auth }: ClientCapabilities = clientCapabilities ?? {};
  return {
    readsFiles: fs?.readTextFile === true,
    writesFiles: fs?.writeTextFile === true,
    terminals: terminal === true,
    forms: isOffered(elicitation?.form),
    notices: isOffered(session?.notices),
    compaction: isOffered(session?.compaction),
    terminalLogin: auth?.terminal === true,
  };
}

/** Missing and null both mean no support. */
function isOffered(capability: object | null | undefined): boolean {
  return capability !== undefined && capability !== null;
}
