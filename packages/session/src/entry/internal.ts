/** What other rooms use of this one, but programs do not: the bytes of a line, lines of older versions. Pure. */
export { ATTEMPT_TYPE } from "./attempt-type.js";
export { isPiEdit, replacementOf } from "./context-replacement.js";
export { NOTE_TYPES, SYNC_CAUSE } from "./entry.js";
export { entryNotFound } from "./entry-not-found.js";
export {
  type FilesRecord,
  fileDeltas,
  filesRecord,
  hasTooManyChanges,
  isFilePath,
  joinedSessions,
  MOST_CHANGES,
  sameFile,
} from "./files-record.js";
export { freezeDeep } from "./freeze-deep.js";
export { kindOfType, OWN_PREFIX, roleOfName, roleOfRecord } from "./kind.js";
export { LeafRule, SubagentEntries } from "./leaf-rule.js";
export { LeafTrail } from "./leaf-trail.js";
export { isEntry, isHeader, parseObject, type RawRecord } from "./parse-entries.js";
export { type RawField, rawFields, withField, withParent } from "./raw-fields.js";
export { newRecordScan, type RecordScan, Scan, scanRecord } from "./scan-record.js";
export { SUBAGENT_END_TYPE, SUBAGENT_PROMPT_TYPE, SUBAGENT_TYPE } from "./subagent-types.js";
export { createUpgrade, type LineUpgrade } from "./upgrade/create-upgrade.js";
export { ENTRY_KEYS, type FieldChange, replaceFields } from "./upgrade/replace-fields.js";
export { needsUpgrade, type SessionVersion, sessionVersion } from "./upgrade/session-version.js";
export { wholeUsage } from "./whole-usage.js";
