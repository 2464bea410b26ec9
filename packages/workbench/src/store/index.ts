/** Beyond one machine: stores where copies of sessions meet, and syncing with them. The door of `bough/store`. */

export type { CodedErrorOptions, SessionEntry } from "@bough/session/entry/index.js";
export type { HitState, SessionInfo, SessionManager } from "@bough/session/session/index.js";
export { entryOrigins, type Machine } from "@bough/session/session/internal.js";
export type { BlobSource } from "../checkpoint/index.js";
export { setBlobSource } from "../checkpoint/internal.js";
export type { SecretFinding } from "../export/index.js";
export type { OpenedForeign } from "../interop/index.js";
export type { AgentSdkEntry, AgentSdkKey } from "./agent-sdk/agent-sdk-line.js";
export { type AgentSdkListed, AgentSdkStore, type AgentSdkStoreOptions } from "./agent-sdk/agent-sdk-store.js";
export type { AgentSdkSummary, FoldSessionSummary } from "./agent-sdk/agent-sdk-summaries.js";
export { attachStore } from "./attach/attach-store.js";
export type { AttachOptions, StoreAttachment, StoreEvent, StoreState, StoreStatus } from "./attach/attachment.js";
export { type ChangedPassphrase, type ChangePassphraseOptions, changePassphrase } from "./change-passphrase.js";
export { contentsOfStores } from "./contents-of-stores.js";
export type { KeptContent } from "./files/push-contents.js";
export type { SyncedContents } from "./files/session-contents.js";
export { FolderStore, type FolderStoreOptions } from "./folder/folder-store.js";
export { addStore, forgetStore, type NamedStore, namedStore, namedStores, setStorePassphrase } from "./named-stores.js";
export { type InitStoreOptions, initStore, type OpenStoreOptions, openStore } from "./open-store.js";
export { projectOf, type RememberProjectOptions, rememberProject } from "./project-of.js";
export { type RemovedStored, type RemoveStoredOptions, removeStored } from "./remove-stored.js";
export { type OwnReplica, ownReplica, renameReplica } from "./replica.js";
export type {
  BlobOptions,
  ListFilter,
  PulledLines,
  PushOptions,
  PushOutcome,
  Replica,
  SessionAbout,
  Store,
  StoreBlobs,
  StoredContent,
  StoredLine,
  StoredSession,
  StoreHit,
  StoreLogEntry,
  StoreLogOptions,
  StoreRole,
  StoreSearch,
  StoreTeam,
  StoreUser,
} from "./store.js";
export { STORE_ROLES } from "./store.js";
export { type StoreKind, shownAddress, storeKind } from "./store-address.js";
export { STORE_ERROR_CODES, StoreError, type StoreErrorCode } from "./store-error.js";
export { type FetchedSession, type FetchSessionOptions, fetchSession } from "./sync/fetch-session.js";
export type { Span } from "./sync/local-lines.js";
export { type LookForSecretsOptions, lookForSecrets } from "./sync/look-for-secrets.js";
export type { Arrival, Pulled } from "./sync/pull-session.js";
export type { MayLeave } from "./sync/push-session.js";
export { isUnchanged, type SyncedSession, type SyncSessionOptions, syncSession } from "./sync/sync-session.js";
export {
  type SkippedSession,
  type SkippedWhy,
  type SyncReport,
  type SyncSessionsOptions,
  syncSessions,
} from "./sync/sync-sessions.js";
export { type PulledSpan, type SyncState, SyncStates } from "./sync/sync-state.js";
export type { TakenId } from "./sync/unite.js";
