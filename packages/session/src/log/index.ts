/** Bytes: append, scan, recover, follow, presence; in a file and in memory. */

export { canStart } from "./can-start.js";
export { changeFile } from "./change-file.js";
export { type FileLockOptions, withFileLock, withFileLockSync } from "./file-lock.js";
export { type Durability, FileLog } from "./file-log.js";
export { isInside } from "./inside.js";
export type { Log, LogState } from "./log.js";
export { makeFolder } from "./make-folder.js";
export { MemoryLog } from "./memory-log.js";
export { itemsIn, namesIn, readNames } from "./names-in.js";
export { isLeftBehind, OWNER_MARK, ownerMark } from "./owner-mark.js";
export {
  type AnnounceOptions,
  announcePresence,
  type Presence,
  type PresenceList,
  type PresenceMode,
  type PresenceRecord,
  type PresentRecord,
  type ReadPresenceOptions,
  readPresence,
  type StaleRecord,
} from "./presence.js";
export {
  groupsWith,
  isAlive,
  isCheckable,
  isGroupAlive,
  type ProcessIdentity,
  processIdentity,
  thisBoot,
} from "./process-identity.js";
export { type ReadTextOptions, readTextFile } from "./read-text-file.js";
export { type LineVisitor, type ReadInto, type ScanEnd, type ScannedLine, scanLines } from "./scan-lines.js";
export { startFailure, startProgram } from "./start-program.js";
export { isFolder, statsOf } from "./stats-of.js";
export { type TemporaryFolder, temporaryFolder, temporaryFolderInSlices } from "./temporary-folder.js";
export {
  isTemporaryName,
  isTemporaryNameFor,
  type TemporaryOwner,
  temporaryNameFor,
} from "./temporary-name.js";
export { type FileChange, type Watch, type WatchFileOptions, watchFile } from "./watch-file.js";
export { inOneGo, inSlices, type Steps, WorkTurns } from "./work-turns.js";
export { writeError } from "./write-error.js";
export {
  hasNoLinks,
  type Piece,
  WholeFile,
  type WholeFileOptions,
  writeWhole,
  writeWholeInSlices,
} from "./write-whole.js";
