/**
 * What other rooms draw of files: how they differ, as data, as patches and as lines; and where branches came from.
 * Pure.
 */
export { BranchOrigins } from "./branches/branch-origins.js";
export { type DiffLinesOptions, differenceLines, differenceList } from "./files/difference-lines.js";
export {
  type BlockedWhy,
  changeLetter,
  differenceTotals,
  differenceWords,
  type FileDifference,
  type NoDiff,
  patchOf,
  quotedName,
} from "./files/file-difference.js";
export { type LineDifference, lineDifference, linesOf, matchedLines, replacedLines } from "./files/line-difference.js";
export { type Clash, type ConflictWhy, filePlanLines, filePlanTotals, type ShownPlan } from "./files/plan-lines.js";
export { type FilesQuestionFacts, filesAnswers, filesQuestionLines, isBringing } from "./files/question-lines.js";
