/** The secrets this machine knows by value. */
import { boughHome } from "@bough/session/session/index.js";
import { readAuthFile } from "./auth-file.js";

/** Keys that were given to Bough are secrets of this machine like those in the environment. */
export function ownSecrets(): Record<string, string | undefined> {
  const { keys } = readAuthFile(boughHome());
  const saved = Object.fromEntries([...keys].map(([provider, key]) => [`the saved key of ${provider}`, key]));
  return { ...process.env, ...saved };
}
