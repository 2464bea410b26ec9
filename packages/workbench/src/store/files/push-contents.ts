/** Pushes contents before the lines that name them, so that every machine that gets a line can get its files. */
import type { BlobStore } from "../../checkpoint/index.js";
import { textContent } from "../../checkpoint/internal.js";
import { ownSecrets, type SecretFinder, secretFinder } from "../../secrets/index.js";
import type { Store, StoredContent } from "../store.js";

const BATCH_BYTES = 8 << 20;
const BATCH_CONTENTS = 200;

/** A content that was not pushed. */
export interface KeptContent {
  readonly path: string;
  readonly hash: string;
}

export interface PushedContents {
  readonly pushed: number;
  /** Contents that may contain secrets. */
  readonly kept: readonly KeptContent[];
}

export interface PushContentsOptions {
  readonly store: Pick<Store, "blobs">;
  readonly blobs: BlobStore;
  /** Also push contents that may contain secrets. */
  readonly allowSecrets: boolean;
  readonly signal?: AbortSignal;
  /** The session that names them. */
  readonly sessionId?: string;
  readonly project?: string | undefined;
}

/** Pushes the named contents that this machine has and the store lacks. `named` holds paths by hash. */
export async function pushContents(
  named: ReadonlyMap<string, string>,
  { store, blobs, allowSecrets, signal, sessionId, project }: PushContentsOptions,
): Promise<PushedContents> {
  const here = [...named.keys()].filter((hash) => blobs.has(hash));
  if (here.length === 0) return { pushed: 0, kept: [] };
  const there = await store.blobs.has(here, { sessionId, project });
  const kept: KeptContent[] = [];
  let pushed = 0;
  let batch: StoredContent[] = [];
  const send = async () => {
    if (batch.length > 0) await store.blobs.put(batch, { sessionId, project });
    pushed += batch.length;
    batch = [];
  };
  let bytes = 0;
  for (const hash of here) {
    if (there.has(hash)) continue;
    signal?.throwIfAborted();
    // A content that is damaged here is not pushed; `bough files` reports it.
    const content = await blobs.get(hash).catch(() => undefined);
    if (content === undefined) continue;
    if (!allowSecrets && (await holdsSecrets(content))) {
      kept.push({ path: named.get(hash) ?? "", hash });
      continue;
    }
    batch.push({ hash, content });
    bytes += content.length;
    if (bytes < BATCH_BYTES && batch.length < BATCH_CONTENTS) continue;
    await send();
    bytes = 0;
  }
  await send();
  return { pushed, kept };
}

let finder: Promise<SecretFinder> | undefined;

/** Uses the same rules as exports. Skips binary contents. */
async function holdsSecrets(content: Buffer): Promise<boolean> {
  const text = textContent(content);
  if (text === undefined || text === "") return false;
  finder ??= secretFinder({ environment: ownSecrets() });
  return (await (await finder).find(text)).length > 0;
}
