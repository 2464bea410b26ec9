/**
 * Another agent that does the turns of a session: its process, and which of its own sessions it is in. It is given
 * exactly the path to the leaf: its own session if that ends here, or a new one written from the path.
 */
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { contentText, Kind, kindOf } from "@bough/session/entry/index.js";
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
import { type AppliedChoices, applyChoices } from "./driver-choices.js";

/** The agent's own session that a prompt goes to. */
export interface CurrentNative extends NativeFacts {
  /** The last entry of the conversation that it has; null if it is new. */
  readonly endsAt: EntryId | null;
  readonly mark: ReadMark | undefined;
  readonly release: () => void;
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
  #current: (CurrentNative & { readonly sessionId: string }) | undefined;
  #tables = new Map<string, NativeSessions>();

  constructor(driver: Driver, { home = boughHome(), beforeGiven, choices = {} }: DrivenOptions = {}) {
    this.driver = driver;
    this.#choices = { chosen: choices, chosenIn: undefined };
    this.env = driver.env ?? process.env;
    this.#home = home;
    this.#beforeGiven = beforeGiven;
    this.transcripts = new NativeTranscripts(this.env);
  }

  /** The running process. Starts it if needed. */
  async start(parts: Pick<RunParts, "cwd" | "emit">, signal: AbortSignal): Promise<OpenDriver> {
    if (this.#open?.isAlive === true) return this.#open;
    await this.#open?.close();
    this.#leave();
    this.#open = await this.driver.open({
      ...{ cwd: parts.cwd, env: this.env, signal },
      onNotice: (message) => parts.emit({ type: "notice", level: "info", message }),
    });
    return this.#open;
  }

  /** The session of the agent that has exactly the path to the leaf. */
  async native(parts: RunParts, open: OpenDriver, signal: AbortSignal): Promise<CurrentNative> {
    const { session } = parts;
    const endsAt = conversationEnd(session);
    const sessionId = session.getSessionId();
    const current = this.#current;
    if (current?.endsAt === endsAt && current.sessionId === sessionId && (await this.#isUnchanged(parts, current))) {
      return current;
    }
    this.#leave();
    const found = await this.#stored(parts, open, { endsAt, signal });
    const native =
      found ?? (await this.#written(parts, open, { endsAt, signal })) ?? (await this.#created(open, signal));
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
  keep(parts: RunParts, native: CurrentNative, mark: ReadMark | undefined): void {
    const endsAt = conversationEnd(parts.session);
    if (endsAt === null) return;
    this.#current = { ...native, endsAt, mark, sessionId: parts.session.getSessionId() };
    const { name } = this.driver;
    this.#table(parts.session).keep({ driver: name, id: native.id, cwd: parts.cwd, endsAt, ...defined({ mark }) });
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

  async close(): Promise<void> {
    this.#leave();
    await this.#open?.close();
    this.#open = undefined;
  }

  /** The next prompt goes to another session. */
  #leave(): void {
    this.#current?.release();
    this.#current = undefined;
  }

  /** False if the user continued it in the agent's own program: what was said there becomes a branch, and the path is written to a new session. */
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
    await this.#takeIn(parts, { id: native.id, endsAt, mark }, grown);
    return false;
  }

  async #takeIn(
    parts: RunParts,
    { id, endsAt, mark }: { readonly id: string; readonly endsAt: EntryId; readonly mark: ReadMark },
    grown: Grown,
  ): Promise<void> {
    const { session, cwd, now } = parts;
    const head = { version: TURN_VERSION, sessionId: session.getSessionId(), leaf: endsAt, mark, cwd } as const;
    const record = new TurnRecord({
      ...{ ...head, driver: this.driver.name, nativeId: id, model: "unknown", timestamp: now().getTime() },
    });
    record.end = "done";
    const ids: EntryId[] = [];
    const onEntry = (one: EntryId) => void ids.push(one);
    await settleTurn({ session, recordScans: async () => {}, onEntry, leafStays: true }, record, grown);
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
    const release = await table.hold(known);
    if (release === undefined) return undefined;
    let facts: NativeFacts | undefined;
    try {
      if (await this.#isUnchanged(parts, known))
        facts = await this.#loaded(open, { id: known.id, path: upwards(parts.session, endsAt), signal });
    } catch (error) {
      if (signal.aborted || !open.isAlive) {
        release();
        throw error;
      }
      // The agent has deleted it, or cannot read it any more: it is written again.
    }
    if (facts === undefined) {
      release();
      table.forget(known);
      return undefined;
    }
    const grown = await this.read(facts, undefined);
    return { ...facts, endsAt, mark: grown?.mark, release };
  }

  async #written(
    parts: RunParts,
    open: OpenDriver,
    { endsAt, signal }: { readonly endsAt: EntryId | null; readonly signal: AbortSignal },
  ): Promise<CurrentNative | undefined> {
    const { session, cwd, now } = parts;
    const { transcripts: agent, title } = this.driver;
    if (endsAt === null) return undefined;
    if (agent === undefined || !open.canLoad) {
      throw new DriverError("agent-history", `${title} cannot be given an earlier conversation`, {
        hint: "Start a new session for it.",
      });
    }
    const receiver = { driver: this.driver.name, agent };
    if (hasOthersConversation(session.getBranch(endsAt), receiver)) await this.#beforeGiven?.(session);
    signal.throwIfAborted();
    const { env, transcripts } = this;
    const where = { ...receiver, title, cwd, env, places: transcripts.places, now, signal };
    const written = await writeNative({ session, entryId: endsAt, ...where });
    if (written === undefined) return undefined;
    if (written.masked > 0) {
      const look = written.masked === 1 ? "looks like a secret was" : "look like a secret were";
      const message = `${counted(written.masked, "value")} that ${look} masked in what ${title} is given`;
      parts.emit({ type: "notice", level: "warning", message });
    }
    const release = (await this.#table(session).hold({ driver: this.driver.name, id: written.id })) ?? (() => {});
    try {
      const facts = await this.#loaded(open, { id: written.id, path: written.entries.toReversed(), signal });
      const grown = await this.read(facts, undefined);
      return { ...facts, endsAt, mark: grown?.mark, release };
    } catch (error) {
      release();
      if (error instanceof DriverError || signal.aborted) throw error;
      throw new DriverError("agent-history", `${title} could not load the conversation: ${errorText(error)}`, {
        cause: error,
      });
    }
  }

  async #created(open: OpenDriver, signal: AbortSignal): Promise<CurrentNative> {
    const facts = await open.create({ signal });
    return { ...facts, endsAt: null, mark: (await this.read(facts, undefined))?.mark, release: () => {} };
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

function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}

/** The last entry that is part of what the model knows; records of files, labels and the like are not. */
export function conversationEnd(session: SessionManager): EntryId | null {
  for (const entry of upwards(session, session.getLeafId())) {
    const kind = kindOf(entry);
    const isState = kind === Kind.modelChange || kind === Kind.thinkingLevelChange;
    if (kind < Kind.custom && !isState) return entry.id;
  }
  return null;
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
