import type { SessionContext } from "../../../context/index.js";
import type { SessionManager } from "../../../session/index.js";

/** What the model sees at the leaf. */
export async function builtContext(session: SessionManager): Promise<SessionContext> {
  return session.buildSessionContext();
}
