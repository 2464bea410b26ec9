/** Collects what the footer shows. Each part is refreshed only when it may have changed, not on every key. */

import { homedir } from "node:os";
import type { AgentEvent, AgentSession } from "@bough/agent/agent/index.js";
import type { Permissions } from "@bough/agent/tool/index.js";
import { firstWords, shownPath } from "@bough/session/text/index.js";
import { branchIndexOf } from "@bough/session/tree/index.js";
import type { Line } from "@bough/session/view/index.js";
import { cutLine, todoLines } from "@bough/session/view/internal.js";
import type { SessionSync } from "@bough/workbench/store/internal.js";
import { currentBranch } from "../../command/index.js";
import type { ExtensionScreen } from "../extension/extension-screen.js";
import { DifferingFiles } from "../files/differing-files.js";
import { footerLine } from "../footer/footer-line.js";
import { gitBranch } from "../footer/git-branch.js";
import { PathTodo } from "../footer/path-todo.js";
import { PathUse } from "../footer/path-use.js";
import { SessionCost } from "../footer/session-cost.js";
import type { Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import { BusyClock, withSign } from "./busy-clock.js";

interface AppFooterParts {
  readonly host: PanelHost;
  readonly agent: AgentSession;
  readonly cwd: string;
  readonly permissions: Pick<Permissions, "grants" | "mode" | "sandbox" | "commandSandbox">;
  readonly still: boolean;
  /** The clock of running work. */
  readonly workNow: () => number;
  /** Whether a panel already shows elapsed time. */
  readonly progressElsewhere: () => boolean;
  /** Whether a question is open. */
  readonly isAsking: () => boolean;
  /** Whether the keyboard is the editor's. */
  readonly isEditing: () => boolean;
  /** Status texts of extensions, and the callback for branch changes. */
  readonly extensions: Pick<ExtensionScreen, "working" | "branchChanged" | "footerLines" | "statusLine">;
  readonly sync?: SessionSync | undefined;
}

export class AppFooter {
  readonly #parts: AppFooterParts;
  readonly #busy: BusyClock;
  readonly #use: PathUse;
  readonly #all: SessionCost;
  readonly #differing: DifferingFiles;
  readonly #todo: PathTodo;
  readonly #unsubscribe: (() => void) | undefined;
  #git: string | undefined;
  #isStarting = false;
  #branch: { readonly number: number; readonly name: string } | undefined;

  constructor(parts: AppFooterParts) {
    this.#parts = parts;
    this.#busy = new BusyClock({ ...parts, now: parts.workNow, working: () => parts.extensions.working });
    this.#use = new PathUse(parts.host);
    this.#all = new SessionCost(parts.host);
    this.#todo = new PathTodo(parts.host);
    this.#differing = new DifferingFiles(parts.agent, parts.host);
    this.#unsubscribe = parts.sync?.subscribe(() => parts.host.redraw());
    this.lookAround();
  }

  handleEvent(event: AgentEvent): void {
    const { type } = event;
    this.#differing.handleEvent(event);
    this.#busy.hear(event);
    this.#busy.look();
    if (type === "tool_end" || type === "run_end") this.#lookAtGit();
    if (CHANGES_PATH.has(type)) this.#lookAtPath();
  }

  /** Refreshes everything, after a session switch or new entries from another process. */
  lookAround(): void {
    this.#lookAtGit();
    this.#busy.look();
    this.#lookAtPath();
  }

  /** The footer of an extension if it has one; otherwise ours, with the extensions' status texts below it. */
  lines(width: number): readonly string[] {
    const { extensions, host } = this.#parts;
    const own = extensions.footerLines(width);
    if (own !== undefined) return own;
    const plain = host.theme.line(cutLine(this.#line(width), width, host.glyphs.ellipsis));
    const line = this.#parts.progressElsewhere() ? plain : withSign(plain, this.#busy.sign);
    const said = extensions.statusLine(width);
    return said === undefined ? [line] : [line, said];
  }

  /** Shown above the editor: the todo list, as long as it has open items. */
  above({ width, height }: Size): readonly string[] {
    const { host } = this.#parts;
    return todoLines(this.#todo.items, { width, height, glyphs: host.glyphs }).map((line) => host.theme.line(line));
  }

  #line(width: number): Line {
    const { host, agent, cwd, permissions } = this.#parts;
    const { driver, session, queued, thinkingLevel } = agent;
    // The models of another agent are its own.
    const model = driver === undefined ? agent.model : undefined;
    const { tokens, cost, cached } = this.#use.facts;
    const window = model === undefined ? undefined : agent.contextWindow;
    return footerLine(
      {
        folder: shownFolder(cwd),
        gitBranch: this.#git,
        sessionName: session.getSessionName(),
        branch: this.#branch,
        model: model && `${model.info.provider}/${model.info.id}`,
        driver: driverFacts(agent),
        thinking: model?.info.reasoning === true ? thinkingLevel : undefined,
        context: tokens === undefined || window === undefined ? undefined : { tokens, window },
        cost,
        cached: cached?.share,
        sessionCost: cost === undefined ? undefined : this.#all.facts,
        busy: this.#busyText(),
        stopKey: this.#parts.isEditing() && !agent.isStopping ? host.keys.hint("chat.stop") : undefined,
        queued: queued.steering.length + queued.followUp.length,
        readOnly: session.getReadOnlyReason() !== undefined,
        mode: permissions.mode,
        sandbox: this.#sandbox(),
        granted: permissions.grants.length,
        differing: this.#differing.count,
        sync: this.#parts.sync?.status,
      },
      width,
      host.glyphs,
    );
  }

  /** While the user is asked, nothing else goes on. */
  #busyText(): string | undefined {
    const { isAsking, progressElsewhere } = this.#parts;
    const text = progressElsewhere() ? undefined : this.#busy.text;
    return text !== undefined && isAsking() ? "Waiting for your answer" : text;
  }

  /** The git branch at the last check. */
  get gitBranch(): string | undefined {
    return this.#git;
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#busy.stop();
    this.#use.stop();
    this.#all.stop();
    this.#todo.stop();
  }

  /** Commands of this mode; known a moment after the mode was switched. */
  #sandbox(): "on" | "unavailable" | undefined {
    const { permissions, host } = this.#parts;
    const { commandSandbox, sandbox } = permissions;
    // Commands of another agent run outside of it.
    if (this.#parts.agent.driver !== undefined) return undefined;
    if (commandSandbox === undefined && !this.#isStarting) {
      this.#isStarting = true;
      void sandbox?.ready().then(() => host.redraw());
    }
    if (commandSandbox === undefined || commandSandbox === "off") return undefined;
    return commandSandbox === "on" ? "on" : "unavailable";
  }

  #lookAtGit(): void {
    const before = this.#git;
    this.#git = gitBranch(this.#parts.cwd);
    if (this.#git !== before) this.#parts.extensions.branchChanged();
  }

  #lookAtPath(): void {
    const { session } = this.#parts.agent;
    this.#branch = hasTurns(session) ? currentBranch(session) : undefined;
    this.#use.look(session);
    this.#all.look(session);
    this.#todo.look(session);
  }
}

const CHANGES_PATH: ReadonlySet<AgentEvent["type"]> = new Set([
  "message_end",
  "moved",
  "compacted",
  "session_changed",
  "driver_changed",
  "entries",
]);

/** Without a prompt there is nothing to name a branch by. */
function hasTurns(session: AgentSession["session"]): boolean {
  const { tree, leaf } = session.getSource();
  return branchIndexOf(tree).turnsAt(leaf) > 0;
}

export function shownFolder(path: string): string {
  return shownPath(path, homedir());
}

function driverFacts(agent: AgentSession) {
  const { driver } = agent;
  if (driver === undefined) return undefined;
  const model = agent.knownDriverOptions.find(({ option }) => option === "model")?.value;
  return { title: driver.title, model: model && firstWords(model, 40), neverAsks: driver.asks === "never" };
}
