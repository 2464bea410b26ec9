/** Which machines the entries of the open session came from, for trees and lists. */
import { OriginReader } from "../../store/internal.js";
import type { CommandContext } from "../command.js";

/** Reads again only what has changed; the session may be another one by then. */
export function originsOf({ agent, home }: Pick<CommandContext, "agent" | "home">): OriginReader["read"] {
  let reader: { readonly id: string; readonly of: OriginReader } | undefined;
  return () => {
    const id = agent.session.getSessionId();
    if (reader?.id !== id) reader = { id, of: new OriginReader(home, id) };
    return reader.of.read();
  };
}
