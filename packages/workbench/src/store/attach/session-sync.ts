/** The open session and the store it is synced with, for every front end. Store drivers are loaded on first use. */
import type { SessionManager } from "@bough/session/session/index.js";
import type { Notice } from "@bough/session/text/index.js";
import type { BlobSource } from "../../checkpoint/index.js";
import type {
  MayLeave,
  NamedStore,
  SecretFinding,
  StoreAttachment,
  StoreEvent,
  StoreStatus,
  SyncedSession,
} from "../index.js";
import { StoreError } from "../store-error.js";
import type { SyncMode } from "../store-settings.js";
import { hasStores } from "../stores-file.js";
import { keptSentence, secretsMessage, secretsTitle } from "../words/secret-sentences.js";
import { awaySentence, backSentence } from "../words/store-sentences.js";

export interface SessionSyncOptions {
  readonly session: SessionManager;
  readonly home: string;
  /** Setting `sync`; default `manual`. */
  readonly mode?: SyncMode | undefined;
  /** Setting `store`: the name of a store; default: the first. */
  readonly store?: string | undefined;
  /** Where contents of files come from that are missing on this machine. */
  readonly contents?: BlobSource | undefined;
  /** Asks the user. If absent, whatever may contain secrets stays here. */
  readonly confirm?: ((title: string, message: string) => Promise<boolean>) | undefined;
  readonly tell: (level: "info" | "warning" | "error", notice: Notice) => void;
  /** Also report a failed last sync, when the session is closed. Default false, because no one would see it. */
  readonly tellsLast?: boolean | undefined;
  /** False if the front end itself follows the session's file. */
  readonly refresh: boolean;
}

interface SyncNow {
  /** The name of a store other than the default. */
  readonly store?: string | undefined;
  readonly allowSecrets?: boolean | undefined;
}

/** Receives the events of a store, and its name. */
type SyncListener = (event: StoreEvent, store: string) => void;

/** How long quitting waits for the store. The rest is pushed next time. */
const LAST_SYNC_MS = 3_000;

export class SessionSync {
  readonly #options: SessionSyncOptions;
  readonly #listeners = new Set<SyncListener>();
  #settings: Pick<SessionSyncOptions, "mode" | "store">;
  #isStarted = false;
  #attachment: StoreAttachment | undefined;
  #name: string | undefined;
  /** Work outside the attachment, one task at a time. */
  #quiet: Promise<unknown> = Promise.resolve();
  /** Set while the missing part of a session is being fetched. */
  #rest: StoreAttachment | undefined;
  /** The session whose secrets the user decided to keep here. */
  #keptHere: string | undefined;
  #saidAway = false;
  #saidFailure: string | undefined;
  #isClosed = false;

  constructor(options: SessionSyncOptions) {
    this.#options = options;
    this.#settings = { mode: options.mode, store: options.store };
  }

  get mode(): SyncMode {
    return this.#settings.mode ?? "manual";
  }

  /** Undefined unless the session is synced automatically. */
  get status(): StoreStatus | undefined {
    return this.#attachment?.status;
  }

  /** The name of that store. */
  get name(): string | undefined {
    return this.#name;
  }

  /** Called when the status changes, and when entries were pushed or pulled. */
  subscribe(listener: SyncListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts syncing, if the settings say so. Does not wait for the first sync. */
  async start(): Promise<void> {
    this.#isStarted = true;
    const { session, tell } = this.#options;
    const { mode } = this;
    const canSync = session.isPersisted() && session.getReadOnlyReason() === undefined;
    if (!canSync || this.#isClosed) return;
    if (mode !== "turn" && mode !== "live") return mode === "off" ? undefined : this.takeInRest();
    try {
      const attachment = await this.#attach(undefined, { live: mode === "live", mayLeave: await this.#mayLeave() });
      if (this.#isClosed) await attachment.detach();
      else this.#attachment = attachment;
    } catch (error) {
      const { message, hint } = error as { readonly message: string; readonly hint?: string };
      tell("warning", { message: `Not syncing: ${message}`, hint });
    }
  }

  /**
   * Applies settings changed while the session is open. Missing ones stay as they are; undefined restores the default.
   */
  configure(change: Pick<SessionSyncOptions, "mode" | "store">): Promise<void> {
    this.#settings = { ...this.#settings, ...change };
    const before = this.#attachment;
    this.#attachment = undefined;
    this.#name = undefined;
    this.#saidAway = false;
    this.#saidFailure = undefined;
    if (!this.#isStarted) return Promise.resolve();
    const again = this.#quiet.then(async () => {
      await before?.detach();
      // If the settings changed again meanwhile, that change starts it.
      if (this.#attachment === undefined) await this.start();
    });
    this.#quiet = again.catch(() => {});
    return again;
  }

  /** Call this after the file was written to without the session: syncs in the background if syncing is automatic. */
  catchUp(): void {
    this.#attachment?.sync().catch(() => {});
  }

  /**
   * Fetches the rest of a partially fetched session in the background, and pushes nothing. If the store is unreachable,
   * the next sync or the next start does it.
   */
  takeInRest(): void {
    const rest = async () => {
      if (this.#isClosed || !hasStores(this.#options.home)) return;
      const { namedStore, namedStores, SyncStates } = await import("../index.js");
      const { session, home } = this.#options;
      if (namedStores(home).length === 0) return;
      const { name, address } = namedStore(home, this.#settings.store);
      if (new SyncStates(home, address).get(session.getSessionId())?.partial !== true) return;
      if (this.#attachment !== undefined) return void (await this.#attachment.sync());
      const attachment = await this.#attach(name, { mayLeave: async () => "no", quiet: true });
      this.#rest = attachment;
      try {
        await attachment.sync();
      } finally {
        this.#rest = undefined;
        await attachment.detach();
      }
    };
    this.#quiet = this.#quiet.then(rest).catch(() => {});
  }

  /** `bough sync` for this session. Rejects with a `StoreError`. */
  async sync({ store, allowSecrets = false }: SyncNow): Promise<{ store: string; synced: SyncedSession | undefined }> {
    const { session } = this.#options;
    if (!session.isPersisted())
      throw new StoreError("unavailable", "This session is not saved, so it cannot be synced");
    if (this.mode === "off")
      throw new StoreError("unavailable", "Syncing is off", { hint: "Turn it on with /settings sync manual." });
    this.#keptHere = undefined;
    const mayLeave: MayLeave = allowSecrets ? async () => "always" : await this.#mayLeave();
    if (this.#attachment !== undefined && this.#name !== undefined && (store === undefined || store === this.#name))
      return { store: this.#name, synced: await this.#attachment.sync({ mayLeave }) };
    // Two at once would request the same entries from the store.
    await this.#quiet;
    const { namedStore } = await import("../index.js");
    const { name } = namedStore(this.#options.home, store ?? this.#settings.store);
    const attachment = await this.#attach(name, { mayLeave, quiet: true });
    try {
      return { store: name, synced: await attachment.sync({ mayLeave }) };
    } finally {
      await attachment.detach();
    }
  }

  /** Call this after closing the session: waits a little until the store has everything. */
  async close(): Promise<void> {
    const [attachment, rest] = [this.#attachment, this.#rest];
    this.#isClosed = true;
    if (attachment === undefined && rest === undefined) return;
    this.#attachment = undefined;
    this.#listeners.clear();
    const last = attachment?.sync().catch((error: unknown) => this.#lastFailed(error));
    const ended = Promise.resolve(last).then(() => Promise.all([attachment?.detach(), rest?.detach()]));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        if (attachment !== undefined) this.#lastFailed(undefined);
        void attachment?.detach();
        resolve();
      }, LAST_SYNC_MS);
    });
    await Promise.race([ended, late]);
    clearTimeout(timer);
  }

  /** Reported once, no matter how often syncing failed before. */
  #lastFailed(error: unknown): void {
    const { tellsLast = false, tell } = this.#options;
    if (!tellsLast || this.#saidAway || this.#saidFailure !== undefined) return;
    const { message = `${this.#name} did not answer`, hint } = (error ?? {}) as { message?: string; hint?: string };
    this.#saidFailure = message;
    tell("warning", {
      message: `Not synced: ${message}`,
      hint: hint ?? "Your work is saved here and is synced next time.",
    });
  }

  async #attach(
    store: string | undefined,
    { live = false, quiet = false, mayLeave }: { live?: boolean; quiet?: boolean; mayLeave: MayLeave },
  ): Promise<StoreAttachment> {
    const { session, home, refresh, contents } = this.#options;
    const { attachStore, namedStore, openStore, SyncStates } = await import("../index.js");
    const named: NamedStore = namedStore(home, store ?? this.#settings.store);
    const { name, address, passphrase } = named;
    if (!quiet) this.#name = name;
    const open = () => openStore(address, { home, passphrase });
    return attachStore(session, open, {
      live,
      refresh,
      mayLeave,
      contents,
      begin: !quiet,
      states: new SyncStates(home, address),
      onEvent: (event) => {
        if (quiet || this.#isClosed) return;
        if (event.kind === "status") this.#onStatus(event.status, name);
        for (const listener of this.#listeners) listener(event, name);
      },
    });
  }

  #onStatus({ state, error }: StoreStatus, name: string): void {
    const { tell } = this.#options;
    if (state === "away" && !this.#saidAway) {
      this.#saidAway = true;
      tell("warning", { message: awaySentence(name, error), hint: "It is synced when the store is back." });
    } else if (state === "idle" && this.#saidAway) {
      this.#saidAway = false;
      tell("info", { message: backSentence(name) });
    } else if (state === "failed" && error !== undefined && error.message !== this.#saidFailure) {
      // Report the same failure once, not every turn.
      this.#saidFailure = error.message;
      tell("error", { message: `Not synced: ${error.message}`, hint: error.hint });
    }
    if (state === "idle") this.#saidFailure = undefined;
  }

  /** Asks about secrets found in what would leave this machine. */
  async #mayLeave(): Promise<MayLeave> {
    const { lookForSecrets } = await import("../index.js");
    return lookForSecrets({ ask: (findings) => this.#ask(findings) });
  }

  async #ask(findings: readonly SecretFinding[]): Promise<boolean> {
    const { session, confirm, tell } = this.#options;
    const id = session.getSessionId();
    if (this.#keptHere === id) return false;
    // A closed terminal cannot ask.
    if (confirm !== undefined && !this.#isClosed && (await confirm(secretsTitle(findings), secretsMessage(findings))))
      return true;
    this.#keptHere = id;
    const again =
      confirm === undefined
        ? `To sync it anyway: bough sync ${id.slice(0, 8)} --allow-secrets`
        : "/sync asks again; /sync --allow-secrets syncs it as it is.";
    if (confirm === undefined) tell("warning", { message: `Not synced: ${keptSentence(findings)}`, hint: again });
    else if (!this.#isClosed)
      tell("warning", { message: "Not synced: this session may contain secrets.", hint: again });
    return false;
  }
}
