/** What other rooms use of extensions, and programs do not: clocks, waits, and what a failed guard leaves. */
export { type GuardFailure, withheldResult } from "./failed-guard.js";
export { createClock, type HoldClock, type Waited, type WaitOptions, waitFor } from "./wait-for.js";
