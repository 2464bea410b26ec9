/** Changes the passphrase of an encrypted store. */
import { boughHome } from "@bough/session/session/index.js";
import { openDriver } from "./open-store.js";
import { ownReplica } from "./replica.js";
import { SealedStore } from "./sealed-store.js";
import type { Replica } from "./store.js";

export interface ChangePassphraseOptions {
  /** Default: `$BOUGH_HOME`. */
  readonly home?: string;
  /** Default: the replica of the home folder. */
  readonly replica?: Replica;
  /** The one in use until now. */
  readonly passphrase: string;
  readonly next: string;
  readonly now?: () => Date;
}

/** `adopted`: another machine had changed it to this one. `same`: it was this one already. */
export type ChangedPassphrase = "changed" | "adopted" | "same";

/**
 * What is pushed from now on can only be read with the new passphrase. Nothing that is stored is written again, so
 * people who knew the old one can still read copies of what was pushed before. Happens completely or not at all, and
 * can be repeated. Rejects with `wrong-passphrase` if neither of the two is right, and with `store-forbidden` if the
 * own role does not allow it.
 */
export async function changePassphrase(address: string, options: ChangePassphraseOptions): Promise<ChangedPassphrase> {
  const { home = boughHome(), passphrase, next, now = () => new Date() } = options;
  const replica = options.replica ?? ownReplica(home);
  const search = async () => [];
  const inner = await openDriver(address, { home, replica, search });
  try {
    return await new SealedStore(inner, { passphrase, search }).changePassphrase(next, now());
  } finally {
    await inner.close();
  }
}
