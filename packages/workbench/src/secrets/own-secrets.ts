/** Secrets of this machine whose values are known: the environment and the saved keys. */
import { boughHome } from "@bough/session/session/index.js";
import { readAuthFile } from "./auth-file.js";

/** The environment and the saved keys, by name. */
export function ownSecrets(): Record<string, string | undefined> {
  const { keys } = readAuthFile(boughHome());
  const saved = Object.fromEntries([...keys].map(([provider, key]) => [`the saved key of ${provider}`, key]));
  return { ...process.env, ...saved };
}
