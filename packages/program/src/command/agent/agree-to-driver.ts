/** What a user must know before another agent does the turns: which rules do not hold, and who gets the conversation. */
import type { BeforeGiven } from "@bough/agent/agent/index.js";
import { type Driver, knownAgent } from "@bough/agent/driver/index.js";
import { AgreedRules, hasOthersConversation, NativeSessions } from "@bough/agent/driver/internal.js";
import type { Permissions } from "@bough/agent/tool/index.js";
import { isPrompt, type SessionEntry } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { counted, grouped, isRecord, type Notice } from "@bough/session/text/index.js";
import { CommandError } from "../command-error.js";
import { billedKeys } from "./agent-facts.js";

export interface AgreeParts {
  /** Has what was agreed to before. */
  readonly home: string;
  /** The project. Default: the working directory. */
  readonly cwd?: string;
  readonly permissions: Pick<Permissions, "mode" | "rules">;
  readonly notice: (level: "info" | "warning", notice: Notice) => void;
  /** Absent if it is not possible to ask. */
  readonly confirm?: ((title: string, message: string) => Promise<boolean>) | undefined;
  /** `later`: no one can answer before the session has started. Default: `now`. */
  readonly asks?: "now" | "later";
}

export type DriverAgreement =
  /**
   * `beforeGiven` must be called before a conversation that others made is sent. It throws `not-agreed` if the user does
   * not agree.
   */
  | { readonly kind: "agreed"; readonly beforeGiven: BeforeGiven }
  | { readonly kind: "refused" }
  /** These rules would not hold, and no one can be asked. */
  | { readonly kind: "needs-agreement"; readonly message: string };

/**
 * Says what the agent does without asking. Rules that forbid something do not hold then, so the user must agree; if it
 * is not possible to ask, only mode `auto` counts as agreement.
 */
export async function agreeToDriver(driver: Driver, parts: AgreeParts): Promise<DriverAgreement> {
  const { permissions, notice, asks = "now" } = parts;
  const confirm = asks === "now" ? parts.confirm : undefined;
  const { about } = knownAgent(driver.name);
  const rules = permissions.rules.filter(({ effect }) => effect === "deny");
  const denied = rules.filter((rule) => driver.holds?.(rule) !== true).map(({ text }) => text);
  const what = `${driver.title} ${about}`;
  const agreedRules = new AgreedRules(parts.home);
  const unheld = { driver: driver.name, cwd: parts.cwd ?? process.cwd(), rules: denied };
  if (rules.length > 0 && denied.length === 0) {
    const message = `${driver.title} is made to ask before it reads, writes or runs anything, so that your deny rules hold`;
    notice("info", { message });
  } else if (denied.length === 0) {
    notice("warning", { message: `${what}; permissions apply only when it asks` });
  } else if (agreedRules.has(unheld)) {
    notice("warning", { message: `${what}; these rules do not hold, as you agreed: ${denied.join(", ")}` });
  } else if (confirm !== undefined) {
    const message = `${what}. These rules do not hold then:\n${denied.map((rule) => `  deny ${rule}`).join("\n")}`;
    if (!(await confirm(titleFor(driver), message))) return { kind: "refused" };
    agreedRules.add(unheld);
  } else if (permissions.mode === "auto") {
    notice("warning", { message: `${what}; these rules do not hold then: ${denied.join(", ")}` });
  } else {
    return { kind: "needs-agreement", message: `${what}, so these rules would not hold: ${denied.join(", ")}` };
  }
  tellWhoPays(driver, parts);
  const agreed = new Set<string>();
  const beforeGiven = async (session: SessionManager) => {
    // Without a session file, the answer is only kept here.
    if (agreed.has(session.getSessionId())) return;
    if (await agreeToSend(driver, session, parts)) agreed.add(session.getSessionId());
  };
  return { kind: "agreed", beforeGiven };
}

/**
 * The conversation so far was made with others, and goes to another company now. Asks once per session and driver, or
 * says so if it is not possible to ask. False if there is nothing to agree to yet.
 */
async function agreeToSend(driver: Driver, session: SessionManager, parts: AgreeParts): Promise<boolean> {
  const { home, notice, confirm } = parts;
  const path = session.getBranch();
  if (!hasOthersConversation(path, { driver: driver.name, agent: driver.transcripts })) return false;
  const isPersisted = session.isPersisted();
  const table = new NativeSessions(home, { id: session.getSessionId(), isPersisted });
  if (table.isAgreed(driver.name)) return true;
  const message = `This conversation (${sizeOf(session)}) is sent to ${driver.title} and the provider it uses, without thinking and with secrets masked`;
  if (confirm === undefined) notice("warning", { message });
  else if (!(await confirm(titleFor(driver), `${message}.`))) {
    throw new CommandError("not-agreed", `Not continued with ${driver.title}`, {
      hint: "Nothing was sent. /agent chooses another one.",
    });
  }
  table.agree(driver.name);
  return true;
}

/** "12 prompts, 340 KB, 2 images" of the path to the leaf. */
export function sizeOf(session: SessionManager): string {
  const path = session.getBranch();
  const size = grouped(Math.ceil(JSON.stringify(path).length / 1024));
  const images = path.reduce((sum, entry) => sum + imagesIn(entry), 0);
  const shown = images === 0 ? "" : `, ${counted(images, "image")} that no scan looks into`;
  return `${counted(path.filter(isPrompt).length, "prompt")}, ${size} KB${shown}`;
}

function imagesIn(entry: SessionEntry): number {
  if (entry.type !== "message" && entry.type !== "custom_message") return 0;
  const content = entry.type === "message" ? (entry.message as { readonly content?: unknown }).content : entry.content;
  return Array.isArray(content) ? content.filter((block) => isRecord(block) && block.type === "image").length : 0;
}

/** A key in the environment may be billed instead of a subscription. Never says its value. */
function tellWhoPays({ name, title }: Driver, { notice }: AgreeParts): void {
  const set = billedKeys(knownAgent(name), process.env);
  if (set.length === 0) return;
  const [is, that] = set.length === 1 ? ["is", "that key"] : ["are", "one of those keys"];
  const message = `${set.join(" and ")} ${is} set, so ${title} may bill ${that} instead of your subscription`;
  notice("warning", { message });
}

function titleFor({ title }: Driver): string {
  return `Continue with ${title}?`;
}
