/** Options for the conversion of one rollout. */
import type { EntryChain } from "../conversion/entry-chain.js";
import type { LossCollector } from "../loss-report.js";
import type { CallLedger } from "./call-ledger.js";

export interface RolloutConversionOptions {
  readonly thread: string;
  /** A sub-agent's name must not become the name of its session. */
  readonly role: "thread" | "sub-agent";
  readonly provider: string;
  readonly file: string;
  /** The thread with the earlier history, if its file was not found. */
  readonly missing?: string | undefined;
  readonly report: LossCollector;
  readonly chain: EntryChain;
  /** Shared between a thread and the files it continues. */
  readonly calls: CallLedger;
}
