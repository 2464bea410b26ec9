/** Sessions that the scripted agent drives, and what they tell. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { contentText, type EntryId, FILES_TYPE } from "@bough/session/entry/index.js";
import { filesRecord } from "@bough/session/entry/internal.js";
import { SessionManager } from "@bough/session/session/index.js";
import { gitIn } from "@bough/workbench/checkpoint/files-place.test-support.js";
import { afterTest } from "../../../../../test/support/after-test.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type AcpDriverOptions, acpDriver, type DriverChoices } from "../../driver/index.js";
import type { PermissionMode } from "../../tool/index.js";
import type { AgentEvent } from "../agent-events.js";
import type { AgentSessionOptions } from "../agent-options.js";
import type { AgentSession } from "../agent-session.js";
import { createAgentSession } from "../create-agent-session.js";

const SCRIPTED = fileURLToPath(new URL("../../../../../test/support/scripted-agent.mjs", import.meta.url));

export interface Opening extends Partial<AcpDriverOptions> {
  readonly habits?: string;
  readonly permission?: PermissionMode;
  /** Whether files are recorded. They are by default. */
  readonly files?: boolean;
  /** Where the project is now. Default: where it was made. */
  readonly cwd?: string;
  readonly deny?: readonly string[];
  readonly beforeGiven?: () => Promise<void>;
  readonly onLeftAgent?: AgentSessionOptions["onLeftAgent"];
  readonly choices?: DriverChoices;
  /** The answer to every question. */
  readonly answer?: "once" | "no";
}

/** A folder with a file, under git, where the scripted agent of `test/support` drives sessions. */
export function drivenPlace() {
  const root = tempFolder();
  writeFileSync(join(root, "a.txt"), "start\n");
  gitIn(root, "init", "--quiet");
  const home = tempFolder();
  const agentHome = tempFolder();
  const sessions = tempFolder();
  const events: AgentEvent[] = [];
  const questions: string[] = [];
  const driver = ({ habits = "", ...options }: Partial<AcpDriverOptions> & { readonly habits?: string } = {}) =>
    acpDriver({
      ...{ name: "pi", title: "Scripted", command: [process.execPath, SCRIPTED], transcripts: "pi", asks: "sometimes" },
      env: { PATH: process.env.PATH, HOME: agentHome, SCRIPTED_AGENT: habits },
      ...options,
    });
  const open = async (given: Opening = {}, session = SessionManager.create(root, sessions)): Promise<AgentSession> => {
    const { permission = "ask", deny = [], answer = "once", beforeGiven, onLeftAgent, choices, ...more } = given;
    const { files = true, cwd = root, ...options } = more;
    const agent = await createAgentSession({
      ...{ session, cwd, ...(files ? { files: { home, onMove: "follow" } } : {}) },
      driver: driver(options),
      driverChoices: choices,
      permissions: { mode: permission, deny },
      ...(beforeGiven === undefined ? {} : { beforeGiven }),
      ...(onLeftAgent === undefined ? {} : { onLeftAgent }),
      ask: async ({ shown }) => {
        questions.push(shown);
        return answer;
      },
    });
    agent.subscribe((event) => events.push(event));
    afterTest(() => agent.dispose());
    return agent;
  };
  const read = (path = "a.txt") => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);
  /** What the agent's model was sent, oldest request first. */
  const requests = (): [string, ...string[]][][] =>
    readFileSync(join(agentHome, "requests.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const transcript = () => {
    const folder = join(agentHome, ".pi/agent/sessions");
    const [name] = readdirSync(folder, { recursive: true })
      .map(String)
      .filter((one) => one.endsWith(".jsonl"));
    return join(folder, name as string);
  };
  return { root, home, agentHome, sessions, events, questions, driver, open, read, requests, transcript };
}

/** A prompt for the scripted agent. */
export const steps = (...all: readonly (readonly unknown[])[]) => JSON.stringify(all);

/** The path to the leaf: who said what, and which files were recorded. */
export function told({ session }: Pick<AgentSession, "session">, leaf?: EntryId) {
  return session.getBranch(leaf).flatMap((entry): string[] => {
    if (entry.type === "custom" && entry.customType === FILES_TYPE) {
      const { by, changes = [] } = filesRecord(entry.data) ?? {};
      return [`files by ${by}: ${changes.map(({ path }) => path).join(" ")}`];
    }
    if (entry.type !== "message") return [];
    const { message } = entry;
    if (message.role === "assistant") {
      const said = message.content.map((block) => (block.type === "text" ? block.text : block.type));
      return [`${message.role}${message.stopReason === "aborted" ? " (aborted)" : ""}: ${said.join(" ")}`];
    }
    return [`${message.role}: ${contentText((message as { content: string }).content)}`.slice(0, 60)];
  });
}
