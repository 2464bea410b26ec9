import { hostname } from "node:os";
import type { AgentSession } from "@bough/agent/agent/index.js";
import type { EventHub } from "@bough/agent/agent/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";

interface AnnounceParts {
  readonly relay: EventHub;
  /** Called when the agent switched to another session. */
  readonly onOther: () => void;
}

/**
 * Announces that this process has the session open, and reports other processes and damage. A session without a file is
 * announced once its first message is saved. Our position stays: others grow their own branches (keeps I5).
 */
export function announceSession(agent: AgentSession, { relay, onOther }: AnnounceParts): void {
  let announced = false;
  const announce = () => {
    announced = true;
    agent.session.announce("bough");
  };
  const arrive = () => {
    announced = false;
    reportDamage(agent.session, relay);
    // Another agent of this process is not news to a program that runs several.
    const others = agent.session.getOthers().filter(({ pid, host }) => pid !== process.pid || host !== hostname());
    if (agent.session.getLeafId() !== null) announce();
    if (others.length === 0) return;
    const names = others.map(({ program, pid, host }) => `${program} (process ${pid} on ${host})`);
    const looking = agent.session.getReadOnlyReason() !== undefined;
    relay.notice(looking ? "info" : "warning", {
      message: `This session is also open in ${names.join(", ")}`,
      hint: looking ? "Opened read-only." : "Both can continue; each writes its own branch.",
    });
  };
  agent.subscribe((event) => {
    if (event.type === "session_changed") {
      onOther();
      arrive();
    } else if (event.type === "message_end" && !announced) announce();
  });
  arrive();
}

/** Reports lines of the session's file that could not be read. Nothing is changed about them (keeps I6). */
function reportDamage(session: SessionManager, relay: EventHub): void {
  const hint = `Everything else was read, and the session can continue: ${session.getSessionFile()}`;
  const damage = damageOf(session);
  if (damage !== undefined) relay.notice("warning", { message: damage, hint });
}

/** The first unreadable line, and how many more there are; undefined if there are none. */
export function damageOf(session: SessionManager): string | undefined {
  const problems = session.getProblems();
  const [first] = problems;
  if (first === undefined) return undefined;
  const place = first.line === 0 ? "" : `, line ${first.line}`;
  const more = problems.length === 1 ? "" : ` (and ${problems.length - 1} more)`;
  return `The session file is damaged${place}: ${first.cause}; ${first.effect}${more}`;
}
