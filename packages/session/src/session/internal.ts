/** What other rooms use of the engine, but programs do not: drafts, walks over a tree, counts kept between runs. */
export { AnswerDraft, addPiece, claimDrafts, type DraftPiece, type LeftDraft } from "./answer-draft.js";
export { arrivedEntries, entryOrigins, fileNameOf, type Machine, OriginReader, Origins } from "./entry-origins.js";
export { everySessionFile } from "./every-session-file.js";
export { labelHolders } from "./label-holders.js";
export { type Countable, type CountOutcome, type CountProgress, countable, countWithin } from "./list/count-within.js";
export type { CountedPlace } from "./list/counts-cache.js";
export { importedFrom } from "./list/end-records.js";
export { callInEntry, type StatedCall } from "./list/line-calls.js";
export { type PlacedCall, readSessionCalls, type SessionCalls } from "./list/session-calls.js";
export {
  attemptIdOf,
  attemptsRoot,
  countsCacheFile,
  isOwnSessionFile,
  sessionFileName,
  sessionFolderStart,
} from "./locations.js";
export { LEAST_PREFIX } from "./resolve-entry.js";
export { matchByIdOrName, type ResolveOptions, resolveSession, type SessionPlaces } from "./resolve-session.js";
export { HIDDEN, marksFromLeaf, SHOWN } from "./search/branch-states.js";
export { entryText as searchedText } from "./search/entry-text.js";
export { makeExcerpt } from "./search/excerpt.js";
export { createMayContain, type MayContain } from "./search/match/may-contain.js";
export { countBytes, countSession, exactSessionInfo, sessionInfo } from "./session-info.js";
export { validClock } from "./session-options.js";
export { downwards, pathBelow, upwards, type WalkedSession } from "./session-walk.js";
export { sessionNames } from "./sessions-folder.js";
