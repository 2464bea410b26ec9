/** The door for tests: parts of the benchmark that can be checked without measuring. */
import { CASES } from "./cases/index.mjs";

export const CASE_NAMES = CASES.map(({ name }) => name);
export { recipeOf } from "./generate/catalogue.mjs";
export { writeForeign } from "./generate/foreign/transcripts.mjs";
export { entryId } from "./generate/random.mjs";
export { messages, sessionLines } from "./generate/session-lines.mjs";
export { writeSession } from "./generate/write-session.mjs";
export { otherImplementation } from "./implementations.mjs";
export { median } from "./measure/samples.mjs";
export { parseOptions } from "./options.mjs";
export { BUDGETS, budgetsOf, verdict } from "./report/budgets.mjs";
export { formatBytes, formatCount, formatRatio, formatTime } from "./report/format.mjs";
export { budgetTable, measurementTable } from "./report/print.mjs";
export { table } from "./report/table.mjs";
