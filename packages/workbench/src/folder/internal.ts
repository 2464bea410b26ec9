/** For other rooms only: whether a folder is that of an attempt, which every start asks. */
export { type AttemptFolder, attemptPlace } from "./folder-record.js";
