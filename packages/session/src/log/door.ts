/** Sessions kept elsewhere than in a file: the interface, a log in memory, and the rules. The door of `bough/log`. */

export { type CheckLogOptions, type CreateLog, checkLog } from "./contract/check-log.js";
export type { Log, LogState } from "./log.js";
export { MemoryLog } from "./memory-log.js";
export { type LineVisitor, type ReadInto, type ScanEnd, type ScannedLine, scanLines } from "./scan-lines.js";
