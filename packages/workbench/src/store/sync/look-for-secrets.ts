/** Scans for secrets before each push, with the rules of exports. */
import { ownSecrets, type SecretFinding, scanEntries } from "../../export/index.js";
import type { MayLeave } from "./push-session.js";

export interface LookForSecretsOptions {
  /** Asks the user about findings. True lets the session be pushed as it is, from now on. Default: no. */
  readonly ask?: (findings: readonly SecretFinding[], sessionId: string) => Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
}

/** For `mayLeave` of `syncSession`, `syncSessions` and `attachStore`. Scans only what the store lacks. */
export function lookForSecrets({ ask, signal }: LookForSecretsOptions = {}): MayLeave {
  return async (entries, sessionId) => {
    const { findings } = await scanEntries(entries, {
      environment: ownSecrets(),
      signal,
    });
    if (findings.length === 0) return "yes";
    return (await ask?.(findings, sessionId)) === true ? "always" : "no";
  };
}
