/** What the conversion of one rollout is told. */
import type { EntryChain } from "../conversion/entry-chain.js";
import type { LossCollector } from "../loss-report.js";
import type { CallLedger } from "./call-ledger.js";

export interface RolloutConversionOptions {
  readonly thread: string;
  readonly provider: string;
  readonly file: string;
  readonly report: LossCollector;
  readonly chain: EntryChain;
  /** Shared by a thread and the base it goes on from. */
  readonly calls: CallLedger;
}
