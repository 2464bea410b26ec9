/**
 * Another agent that does the turns of a session: its process, and which of its own sessions it is in. It is given
 * exactly the path to the leaf: its own session if that ends here, or a new one written from the path.
 */
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { contentText, isPrompt } from "@bough/session/entry/index.js";
import { boughHome, type SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";
import { counted, defined, errorText } from "@bough/session/text/index.js";
import { type Grown, type ReadMark, readGrown } from "@bough/workbench/interop/internal.js";
import {
  type Driver,
  type DriverChoice,
  type DriverChoices,
  DriverError,
  type DriverOption,
  type NativeFacts,
  type OpenDriver,
} from "../../driver/index.js";
import {
  ageTranscript,
  givenPath,
  hasOthersConversation,
  type NativeSession,
  NativeSessions,
  NativeTranscripts,
  settleTurn,
  TURN_VERSION,
  TurnRecord,
  writeNative,
} from "../../driver/internal.js";
import type { PermissionMode } from "../../tool/index.js";
import type { AgentSessionOptions } from "../agent-options.js";
import type { RunParts } from "../run-parts.js";
import { summaryText } from "../summary/summary-text.js";
import { conversationEnd } from "./conversation-end.js";
import { type AppliedChoices, applyChoices } from "./driver-choices.js";
import { LateWork, type NativeEnd } from "./late-work.js";

/** The agent's own session that a prompt goes to. */
export interface CurrentNative extends NativeFacts {
  /** The last entry of the conversation that it has; null if it is new. */
  readonly endsAt: EntryId | null;
  readonly mark: ReadMark | undefined;
  /** The conversation as text, for the first prompt: the agent cannot load it. */
  readonly given?: string | undefined;
}

interface DrivenOptions {
  readonly choices?: DriverChoices | undefined;
  /** Has the table of the agent's own sessions. */
  readonly home?: string | undefined;
  readonly beforeGiven?: AgentSessionOptions["beforeGiven"] | undefined;
}

export class DrivenAgent {
  readonly driver: Driver;
  readonly transcripts: NativeTranscripts;
  readonly env: NodeJS.ProcessEnv;
  readonly #home: string;
  readonly #beforeGiven: DrivenOptions["beforeGiven"];
  #choices: { readonly chosen: DriverChoices; readonly chosenIn: PermissionMode | undefined };
  #known: readonly DriverOption[] = [];
  #open: OpenDriver | undefined;
  /** Whether the running agent asks before everything. */
  #asksAlways = false;
  #current: (CurrentNative & { readonly sessionId: string }) | undefined;
  #tables = new Map<string, NativeSessions>();
  /** The files of sessions that Bough wrote, by ID. */
  readonly #writtenFiles = new Map<string, string>();
  /** The sessions of the agent that this process drives. No other one does until its process has ended. */
  readonly #held = new Map<string, () => void>();
  readonly late: LateWork;

  constructor(driver: Driver, { home = boughHome(), beforeGiven, choices = {} }: DrivenOptions = {}) {
    this.driver = driver;
    this.#choices = { chosen: choices, chosenIn: undefined };
    this.env = driver.env ?? process.env;
    this.#home = home;
    this.#beforeGiven = beforeGiven;
    this.transcripts = new NativeTranscripts(this.env);
    this.late = new LateWork(this);
  }

  /** The running process. Starts it if needed. */
  async start(
    parts: Pick<RunParts, "cwd" | "emit"> & Partial<Pick<RunParts, "permissions">>,
    signal: AbortSignal,
  ): Promise<OpenDriver> {
    const { holds } = this.driver;
    const rules = parts.permissions?.rules ?? [];
    const asksAlways = rules.some((rule) => rule.effect === "deny" && holds?.(rule) === true);
    // A rule that came later holds from the next turn on.
    if (this.#open?.isAlive === true && (this.#asksAlways || !asksAlways)) return this.#open;
    await this.close();
    this.#asksAlways = asksAlways;
    // What writes and reads transcripts is loaded while the agent starts.
    if (this.driver.transcripts !== undefined) import("@bough/workbench/interop/index.js").catch(() => undefined);
    this.#open = await this.driver.open({
      ...{ cwd: parts.cwd, env: this.env, signal, asksAlways },
      onNotice: (message) => parts.emit({ type: "notice", level: "info", message }),
      late: this.late,
    });
    return this.#open;
  }

  /** The session of the agent that has exactly the path to the leaf. */
  async native(parts: RunParts, open: OpenDriver, signal: AbortSignal): Promise<CurrentNative> {
    const { session } = parts;
    // Before the leaf is looked at: it may follow what the agent did by itself.
    await this.late.settle();
    let endsAt = conversationEnd(session);
    const sessionId = session.getSessionId();
    const isHere = () => this.#current?.endsAt === endsAt && this.#current?.sessionId === sessionId;
    if (this.#current !== undefined && isHere() && (await this.#isUnchanged(parts, this.#current))) {
      endsAt = conversationEnd(session);
      if (isHere()) return this.#current;
    }
    this.#current = undefined;
    const found = await this.#stored(parts, open, { endsAt, signal });
    const native =
      found ?? (await this.#written(parts, open, { endsAt, signal })) ?? (await this.#created(parts, open, signal));
    this.#current = { ...native, sessionId };
    return native;
  }

  get chosen(): DriverChoices {
    return this.#choices.chosen;
  }

  /** What the agent offers, as far as it is known: none before it was started. */
  get options(): readonly DriverOption[] {
    const { id } = this.#current ?? {};
    if (id !== undefined && this.#open !== undefined) this.#known = this.#open.options(id);
    return this.#known;
  }

  /** The model, effort and mode of the next turn. Throws a DriverError if the agent does not offer them. */
  applyChoices(
    parts: Pick<RunParts, "session" | "permissions">,
    given: { readonly open: OpenDriver; readonly native: NativeFacts; readonly signal: AbortSignal },
  ): Promise<AppliedChoices> {
    return applyChoices(parts, { driver: this.driver, ...this.#choices, ...given });
  }

  /** From the next turn on. A mode is used until the permission mode is another one. */
  choose({ option, value }: DriverChoice, permissionMode: PermissionMode | undefined): void {
    const { chosen, chosenIn } = this.#choices;
    // Efforts belong to a model.
    const effort = option === "model" ? undefined : chosen.effort;
    this.#choices = {
      chosen: { ...chosen, effort, [option]: value },
      chosenIn: option === "mode" ? permissionMode : chosenIn,
    };
  }

  /** The agent's session ends at the leaf now. */
  keep(
    parts: RunParts,
    native: CurrentNative,
    { mark, calls }: { readonly mark: ReadMark | undefined; readonly calls: readonly string[] },
  ): void {
    const endsAt = conversationEnd(parts.session);
    if (endsAt === null) return;
    const { given: _given, ...rest } = native;
    this.#current = { ...rest, endsAt, mark, sessionId: parts.session.getSessionId() };
    this.#keepEnd(parts, { id: native.id, endsAt, mark });
    this.late.listen(parts, { id: native.id, endsAt, mark }, calls);
  }

  /** The agent worked on by itself: its session ends elsewhere now. */
  moveEnd(parts: Pick<RunParts, "session" | "cwd">, { id, endsAt, mark }: NativeEnd): void {
    const current = this.#current;
    if (current?.id === id) this.#current = { ...current, endsAt, mark };
    this.#keepEnd(parts, { id, endsAt, mark });
  }

  #keepEnd({ session, cwd }: Pick<RunParts, "session" | "cwd">, { id, endsAt, mark }: NativeEnd): void {
    const path = this.#writtenFiles.get(id);
    if (path !== undefined) ageTranscript(path);
    const known = { driver: this.driver.name, id, cwd, endsAt, ...defined({ mark }) };
    this.#table(session).keep(path === undefined ? known : { ...known, written: true });
  }

  /** What the agent wrote since the mark; undefined if its transcript cannot be found or read. */
  async read(
    native: Pick<NativeFacts, "id">,
    since: ReadMark | undefined,
    cuts: readonly ReadMark["records"][] = [],
  ): Promise<Grown | undefined> {
    const { transcripts } = this.driver;
    if (transcripts === undefined) return undefined;
    try {
      const source = await this.transcripts.find(transcripts, native.id);
      return source === undefined ? undefined : await readGrown(source, { since, cuts });
    } catch {
      // Damaged, or written in the same moment: what the protocol had counts.
      return undefined;
    }
  }

  /** Whether its transcript only grows, so that finished steps can be added during a turn. */
  get settlesSteps(): boolean {
    const { transcripts } = this.driver;
    return transcripts !== undefined && transcripts !== "gemini";
  }

  /** Changes whenever the transcript may have changed; undefined if it was not found yet. */
  stamp({ id }: Pick<NativeFacts, "id">): string | undefined {
    const { transcripts } = this.driver;
    return transcripts === undefined ? undefined : this.transcripts.stamp(transcripts, id);
  }

  /** Ends the agent's process. The next prompt starts it again. */
  async close(): Promise<void> {
    this.#current = undefined;
    const open = this.#open;
    this.#open = undefined;
    await open?.close();
    await this.late.end();
    for (const release of this.#held.values()) release();
    this.#held.clear();
  }

  /** False if another process drives it. */
  async #hold(session: SessionManager, id: string): Promise<boolean> {
    if (this.#held.has(id)) return true;
    const release = await this.#table(session).hold({ driver: this.driver.name, id });
    if (release !== undefined) this.#held.set(id, release);
    return release !== undefined;
  }

  /**
   * False if the user continued it in the agent's own program: what was said there becomes a branch, and the path is
   * written to a new session. What the agent did by itself is added to its branch.
   */
  async #isUnchanged(
    parts: RunParts,
    native: Pick<NativeSession, "id" | "mark"> & { readonly endsAt: EntryId | null },
  ) {
    const { mark, endsAt } = native;
    if (this.driver.transcripts === undefined || endsAt === null) return true;
    const grown = await this.read(native, mark);
    if (grown === undefined || mark === undefined || grown.isRewritten) return false;
    const isLonger = grown.entries.some((entry) => entry.type === "message");
    if (!isLonger) return true;
    // Only a person types prompts.
    if (!grown.entries.some(isPrompt)) {
      await this.late.takeIn(parts, { id: native.id, endsAt, mark }, grown);
      return true;
    }
    await this.#takeIn(parts, { id: native.id, endsAt, mark }, grown);
    return false;
  }

  async #takeIn(parts: RunParts, { id, endsAt, mark }: NativeEnd, grown: Grown): Promise<void> {
    const { session, cwd, now } = parts;
    const head = { version: TURN_VERSION, sessionId: session.getSessionId(), leaf: endsAt, cwd } as const;
    const made = { driver: this.driver.name, nativeId: id, model: "unknown", timestamp: now().getTime() };
    const record = new TurnRecord({ ...head, ...made, ...defined({ mark }) });
    record.end = "done";
    const ids: EntryId[] = [];
    const onEntry = (one: EntryId) => void ids.push(one);
    await settleTurn({ session, recordScans: async () => {}, onEntry, leaf: "stays" }, record, grown);
    session.recordPosition();
    this.#table(session).forget({ driver: this.driver.name, id });
    parts.emit({ type: "entries", ids });
    parts.emit({
      type: "notice",
      level: "info",
      message: `${this.driver.title} continued this conversation by itself: ${counted(ids.length, "entry", "entries")} added as a branch`,
    });
  }

  async #stored(
    parts: RunParts,
    open: OpenDriver,
    { endsAt, signal }: { readonly endsAt: EntryId | null; readonly signal: AbortSignal },
  ): Promise<CurrentNative | undefined> {
    if (endsAt === null || !open.canLoad) return undefined;
    const table = this.#table(parts.session);
    const { name } = this.driver;
    const known = table.list().find((one) => one.driver === name && one.endsAt === endsAt && one.cwd === parts.cwd);
    if (known === undefined) return undefined;
    if (!(await this.#hold(parts.session, known.id))) return undefined;
    let facts: NativeFacts | undefined;
    try {
      if (await this.#isUnchanged(parts, known)) {
        const path = upwards(parts.session, conversationEnd(parts.session));
        facts = await this.#loaded(open, { id: known.id, path, signal });
      }
    } catch (error) {
      if (signal.aborted || !open.isAlive) throw error;
      // The agent has deleted it, or cannot read it any more: it is written again.
    }
    if (facts === undefined) {
      table.forget(known);
      return undefined;
    }
    const grown = await this.read(facts, undefined);
    return { ...facts, endsAt: conversationEnd(parts.session), mark: grown?.mark };
  }

  async #written(
    parts: RunParts,
    open: OpenDriver,
    { endsAt, signal }: { readonly endsAt: EntryId | null; readonly signal: AbortSignal },
  ): Promise<CurrentNative | undefined> {
    const { session, cwd, now } = parts;
    const { transcripts: agent, title } = this.driver;
    if (endsAt === null) return undefined;
    const receiver = { driver: this.driver.name, agent };
    const path = session.getBranch(endsAt);
    if (hasOthersConversation(path, receiver)) await this.#beforeGiven?.(session);
    signal.throwIfAborted();
    if (agent === undefined || !open.canLoad) return this.#told(parts, open, { path, signal });
    const { env, transcripts } = this;
    const where = { driver: this.driver.name, agent, title, cwd, env, places: transcripts.places, now, signal };
    const written = await writeNative({ session, entryId: endsAt, ...where });
    if (written === undefined) return undefined;
    this.#writtenFiles.set(written.id, written.path);
    // opencode takes the file into its database.
    if (agent !== "opencode") transcripts.know(agent, written);
    this.#tellMasked(parts, written.masked);
    await this.#hold(session, written.id);
    try {
      // While the agent loads it. Some write to it then.
      const stamp = this.stamp(written);
      const reading = this.read(written, undefined);
      const facts = await this.#loaded(open, { id: written.id, path: written.entries.toReversed(), signal });
      const early = await reading;
      const isSame = stamp !== undefined && facts.id === written.id && stamp === this.stamp(facts);
      const mark = (isSame ? early : await this.read(facts, undefined))?.mark;
      // Even if nothing is sent: the next prompt uses it, and it can be cleaned up.
      const { id } = facts;
      this.#table(session).keep({ driver: this.driver.name, id, cwd, endsAt, ...defined({ mark }), written: true });
      return { ...facts, endsAt, mark };
    } catch (error) {
      if (error instanceof DriverError || signal.aborted) throw error;
      throw new DriverError("agent-history", `${title} could not load the conversation: ${errorText(error)}`, {
        cause: error,
      });
    }
  }

  async #created(parts: Pick<RunParts, "session">, open: OpenDriver, signal: AbortSignal): Promise<CurrentNative> {
    const facts = await open.create({ signal });
    await this.#hold(parts.session, facts.id);
    return { ...facts, endsAt: null, mark: (await this.read(facts, undefined))?.mark };
  }

  /** A new session for an agent that cannot load this one: the first prompt has the path as text. */
  async #told(
    parts: RunParts,
    open: OpenDriver,
    { path, signal }: { readonly path: readonly SessionEntry[]; readonly signal: AbortSignal },
  ): Promise<CurrentNative | undefined> {
    const { name, title, transcripts: agent } = this.driver;
    const { entries, masked } = await givenPath(path, { driver: name, agent, title: "", signal });
    const whole = summaryText(entries);
    if (whole === "") return undefined;
    this.#tellMasked(parts, masked);
    const text = summaryText(entries, { maxTokens: MOST_GIVEN_TOKENS });
    const cut =
      text === whole ? "long results are shortened" : "its beginning is left out, and long results are shortened";
    const message = `${title} cannot load this conversation, so it is given as text with the prompt: ${cut}`;
    parts.emit({ type: "notice", level: "warning", message });
    const created = await this.#created(parts, open, signal);
    return { ...created, endsAt: path.at(-1)?.id ?? null, given: `${GIVEN_START}\n\n${text}\n\n${GIVEN_END}` };
  }

  #tellMasked({ emit }: Pick<RunParts, "emit">, masked: number): void {
    if (masked === 0) return;
    const look = masked === 1 ? "looks like a secret was" : "look like a secret were";
    const message = `${counted(masked, "value")} that ${look} masked in what ${this.driver.title} is given`;
    emit({ type: "notice", level: "warning", message });
  }

  /** A failed load must never become an empty history that looks like a whole one. */
  async #loaded(
    open: OpenDriver,
    { id, path, signal }: { readonly id: string; readonly path: Iterable<SessionEntry>; readonly signal: AbortSignal },
  ): Promise<NativeFacts> {
    const last = lastPrompt(path);
    const wanted = last === undefined ? "" : squeezed(last).slice(0, MOST_COMPARED);
    const isWhole = (prompts: readonly string[]) => squeezed(prompts.join("")).includes(wanted);
    const { prompts, ...facts } = await open.load(id, { signal, isWhole });
    if (!isWhole(prompts)) {
      throw new DriverError("agent-history", `${this.driver.title} loaded the conversation without its last prompt`, {
        data: { id },
        hint: "Nothing was sent. Update the agent's program, or start a new session.",
      });
    }
    return facts;
  }

  #table(session: SessionManager): NativeSessions {
    const id = session.getSessionId();
    const known = this.#tables.get(id);
    if (known !== undefined) return known;
    const made = new NativeSessions(this.#home, { id, isPersisted: session.isPersisted() });
    this.#tables.set(id, made);
    return made;
  }
}

const MOST_COMPARED = 200;
/** Of a conversation as text: leaves room for the work in the window of any model that drives an agent. */
const MOST_GIVEN_TOKENS = 50_000;
const GIVEN_START =
  "This is the conversation so far, recorded by another program. Continue it: what comes after it is the user's next message.";
const GIVEN_END = "(End of the conversation so far.)";

function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}

/** Of a path from its leaf upwards. */
function lastPrompt(path: Iterable<SessionEntry>): string | undefined {
  for (const entry of path) {
    if (entry.type !== "message" || entry.message.role !== "user") continue;
    const text = contentText(entry.message.content);
    if (text.trim() !== "") return text;
  }
  return undefined;
}
