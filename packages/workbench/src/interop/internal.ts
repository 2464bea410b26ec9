/** What front ends use to handle other agents' sessions. Readers are loaded only when needed. */
export { isAbout } from "./about-folder.js";
export { countForeign } from "./count-foreign.js";
export { NOTE_TYPE } from "./foreign-entry.js";
export {
  foreignFacts,
  foreignListed,
  foreignReference,
  foreignRow,
  foreignTitle,
  foundForeignNotice,
} from "./foreign-words.js";
export { endsOnSentence, handedOffNotice, handoffPlanLines, type LastPrompt } from "./handoff/handoff-sentences.js";
export {
  type HandoffRequest,
  handoffFacts,
  NEEDS_YES,
  type PlannedHandoff,
  performHandoff,
  planHandoff,
} from "./handoff/handoff-session.js";
export { type ImportedSession, importOne, importToOpen, tryImport } from "./import/import-one.js";
export { damagedRecords, damageSentence, importNotices, importSentence } from "./import/import-sentences.js";
export { ImportedFiles } from "./import/import-target.js";
export { type Grown, type ReadMark, readGrown } from "./import/read-grown.js";
export { knownFilesPlace } from "./known-files.js";
export {
  type CallTokens,
  knowsBranches,
  type ModelCall,
  shortName,
  timeIn,
  tokensOf,
  usageCounts,
  usedSomething,
} from "./model-call.js";
export type { ForeignSearch } from "./worker/find-here.js";
export type { CountedImport } from "./worker/import-and-count.js";
export { listForeign, streamForeign } from "./worker/stream-foreign.js";
