/** What the conversion of one rollout is told. */
import type { EntryChain } from "../conversion/entry-chain.js";
import type { LossCollector } from "../loss-report.js";
import type { CallLedger } from "./call-ledger.js";

export interface RolloutConversionOptions {
  readonly thread: string;
  /** The name of a sub-agent is not a name for the session it is part of. */
  readonly role: "thread" | "sub-agent";
  readonly provider: string;
  readonly file: string;
  /** The thread whose history comes before, where its file is not here. */
  readonly missing?: string | undefined;
  readonly report: LossCollector;
  readonly chain: EntryChain;
  /** Shared by a thread and the base it continues from. */
  readonly calls: CallLedger;
}
