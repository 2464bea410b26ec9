import type { AgentSession } from "../../agent/index.js";
import type { EventRelay } from "../event-relay.js";
import { tellDamage } from "./tell-damage.js";

interface AnnounceParts {
  readonly relay: EventRelay;
  /** Called when the agent went to another session. */
  readonly onOther: () => void;
}

/**
 * Says that this process has the session open, and tells who else has, and what is damaged in it. A session without a file is announced when its
 * first message is there. The position stays our own: others grow their own branches (keeps I5).
 */
export function announceSession(agent: AgentSession, { relay, onOther }: AnnounceParts): void {
  let announced = false;
  const announce = () => {
    announced = true;
    agent.session.announce("bough");
  };
  const arrive = () => {
    announced = false;
    tellDamage(agent.session, relay);
    const others = agent.session.getOthers();
    if (agent.session.getLeafId() !== null) announce();
    if (others.length === 0) return;
    const names = others.map(({ program, pid, host }) => `${program} (process ${pid} on ${host})`);
    const looking = agent.session.getReadOnlyReason() !== undefined;
    relay.notice(
      looking ? "info" : "warning",
      `This session is also open in ${names.join(", ")}`,
      looking ? "Opened read-only." : "Both can continue; each writes its own branch.",
    );
  };
  agent.subscribe((event) => {
    if (event.type === "session_changed") {
      onOther();
      arrive();
    } else if (event.type === "message_end" && !announced) announce();
  });
  arrive();
}
