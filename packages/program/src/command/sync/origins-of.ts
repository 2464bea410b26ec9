/** Which machines the entries of the open session came from, for trees and lists. */
import { OriginReader } from "@bough/workbench/store/internal.js";
import type { CommandContext } from "../command.js";

/** Rereads only what changed; the session may have been switched meanwhile. */
export function originsOf({ agent, home }: Pick<CommandContext, "agent" | "home">): OriginReader["read"] {
  let reader: { readonly id: string; readonly of: OriginReader } | undefined;
  return () => {
    const id = agent.session.getSessionId();
    if (reader?.id !== id) reader = { id, of: new OriginReader(home, id) };
    return reader.of.read();
  };
}
