import { errorText } from "../../text/index.js";
import type { Log } from "../log.js";
import { LOG_RULES, type LogTrial } from "./log-rules.js";

/** Makes the logs to test. Each holds `bytes`, shares them with no other, and has accepted none of them. */
export type CreateLog<Own extends Log = Log> = (bytes: Buffer, access: "read" | "write") => Own | Promise<Own>;

/** What `checkLog` needs to test several logs of the same bytes. */
export interface CheckLogOptions<Own extends Log = Log> {
  /** Opens another log of the same bytes, as another process would. Without it, several writers are not tested. */
  readonly reopen?: (log: Own) => Log | Promise<Log>;
}

/**
 * Tests every rule of `Log` on logs that `create` makes. Returns the broken rules as sentences with what was expected
 * and what was found; empty if the log can hold a session. Never throws, and needs no test framework:
 *
 *     expect(await checkLog((bytes, access) => new MyLog(bytes, access))).toEqual([]);
 */
export async function checkLog<Own extends Log>(
  create: CreateLog<Own>,
  { reopen }: CheckLogOptions<Own> = {},
): Promise<string[]> {
  const trial: LogTrial = {
    create: async (bytes, access = "write") => create(bytes, access),
    reopen: reopen === undefined ? undefined : async (log) => reopen(log as Own),
  };
  const broken: string[] = [];
  for (const { sentence, holds, needsReopen } of LOG_RULES) {
    if (needsReopen && reopen === undefined) continue;
    try {
      await holds(trial);
    } catch (error) {
      broken.push(`A log ${sentence}: ${errorText(error)}`);
    }
  }
  return broken;
}
