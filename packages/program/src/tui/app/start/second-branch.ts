/** Tells users, the first time they create a branch, that the other one is still there. */
import type { AgentEvent, AgentSession } from "@bough/agent/agent/index.js";
import { branchIndexOf } from "@bough/session/tree/index.js";
import { currentBranch } from "../../../command/index.js";
import type { PanelHost } from "../../host/panel-host.js";
import type { Hints } from "./hints.js";

interface SecondBranchParts {
  readonly agent: AgentSession;
  readonly hints: Hints;
  readonly host: PanelHost;
}

export class SecondBranch {
  readonly #parts: SecondBranchParts;
  #known: number;

  constructor(parts: SecondBranchParts) {
    this.#parts = parts;
    this.#known = this.#count();
  }

  handleEvent(event: AgentEvent): void {
    if (event.type !== "message_end" && event.type !== "session_changed") return;
    const count = this.#count();
    const grew = event.type === "message_end" && event.message.role === "user" && count > Math.max(1, this.#known);
    this.#known = count;
    const { session } = this.#parts.agent;
    const { number } = currentBranch(session);
    // The branch may also have been created elsewhere while the user stayed on theirs.
    const isNew = number > 1 && branchIndexOf(session.getSource().tree).turnsIn(number) === 1;
    if (!grew || !isNew || !this.#parts.hints.first("second-branch")) return;
    const message = `This is a new branch (#${number}).`;
    this.#parts.host.status({ message, hint: "The one you left is unchanged: /switch - goes back." });
  }

  #count(): number {
    return branchIndexOf(this.#parts.agent.session.getSource().tree).count;
  }
}
