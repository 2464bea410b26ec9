/** What a user must know before another agent does the turns: which rules do not hold, and who gets the conversation. */
import { type Driver, knownAgent } from "@bough/agent/driver/index.js";
import { hasOthersConversation, NativeSessions } from "@bough/agent/driver/internal.js";
import type { ExtensionUi } from "@bough/agent/extension/index.js";
import { isPrompt } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { counted, grouped } from "@bough/session/text/index.js";
import { CliError, usageError } from "../cli-error.js";
import type { PreparedAgent } from "./prepare-agent.js";

export interface Around extends Pick<PreparedAgent, "home"> {
  readonly front: Pick<PreparedAgent["front"], "mode">;
  readonly permissions: Pick<PreparedAgent["permissions"], "mode" | "rules">;
  readonly relay: Pick<PreparedAgent["relay"], "notice">;
  readonly host: { readonly context: () => { readonly ui: Pick<ExtensionUi, "confirm"> } };
}

/**
 * Says what the agent does without asking. Rules that forbid something do not hold then, so the user must agree; if it
 * is not possible to ask, only mode `auto` counts as agreement. Throws otherwise.
 *
 * The result must be called before a conversation that others made is sent; it throws if the user does not agree.
 */
export async function agreeToDriver(
  driver: Driver,
  around: Around,
): Promise<(session: SessionManager) => Promise<void>> {
  const { front, permissions, relay } = around;
  const { about } = knownAgent(driver.name);
  const denied = permissions.rules.filter(({ effect }) => effect === "deny").map(({ text }) => text);
  const what = `${driver.title} ${about}`;
  if (denied.length === 0) {
    relay.notice("warning", { message: `${what}; permissions apply only when it asks` });
  } else if (front.mode === "tui") {
    const message = `${what}. These rules do not hold then:\n${denied.map((rule) => `  deny ${rule}`).join("\n")}`;
    await agree(driver, around, message);
  } else if (permissions.mode === "auto") {
    relay.notice("warning", { message: `${what}; these rules do not hold then: ${denied.join(", ")}` });
  } else {
    throw usageError(
      `${what}, so these rules would not hold: ${denied.join(", ")}`,
      "Pass --permission auto to run it anyway, or start it in the terminal.",
    );
  }
  tellWhoPays(driver, around);
  const agreed = new Set<string>();
  return async (session) => {
    // Without a session file, the answer is only kept here.
    if (agreed.has(session.getSessionId())) return;
    if (await agreeToSend(driver, session, around)) agreed.add(session.getSessionId());
  };
}

/**
 * The conversation so far was made with others, and goes to another company now. Asks once per session and driver, or
 * says so if it is not possible to ask. False if there is nothing to agree to yet.
 */
async function agreeToSend(driver: Driver, session: SessionManager, around: Around): Promise<boolean> {
  const { front, home, relay } = around;
  const path = session.getBranch();
  if (!hasOthersConversation(path, { driver: driver.name, agent: driver.transcripts })) return false;
  const isPersisted = session.isPersisted();
  const table = new NativeSessions(home, { id: session.getSessionId(), isPersisted });
  if (table.isAgreed(driver.name)) return true;
  const size = grouped(Math.ceil(JSON.stringify(path).length / 1024));
  const prompts = counted(path.filter(isPrompt).length, "prompt");
  const message = `This conversation (${prompts}, ${size} KB) is sent to ${driver.title} and the provider it uses, without thinking and with secrets masked`;
  if (front.mode !== "tui") relay.notice("warning", { message });
  else await agree(driver, around, `${message}.`);
  table.agree(driver.name);
  return true;
}

/** A key in the environment may be billed instead of a subscription. Never says its value. */
function tellWhoPays({ name, title }: Driver, { relay }: Around): void {
  const set = (knownAgent(name).keys ?? []).filter((variable) => (process.env[variable] ?? "") !== "");
  if (set.length === 0) return;
  const [is, that] = set.length === 1 ? ["is", "that key"] : ["are", "one of those keys"];
  const message = `${set.join(" and ")} ${is} set, so ${title} may bill ${that} instead of your subscription`;
  relay.notice("warning", { message });
}

async function agree({ title }: Driver, { host }: Around, message: string): Promise<void> {
  if (await host.context().ui.confirm(`Continue with ${title}?`, message, { enter: "no" })) return;
  throw new CliError("not-opened", `Not continued with ${title}`);
}
