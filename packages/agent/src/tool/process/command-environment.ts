import { keyVariables } from "../../model/index.js";

/**
 * Removes the keys of model providers from the environment of commands: no build needs them, and `env` would print them
 * into the session. This prevents accidents; it does not stop a command that looks for keys elsewhere.
 */
export function commandEnvironment(
  env: NodeJS.ProcessEnv,
  hidden: readonly string[] = keyVariables(),
): NodeJS.ProcessEnv {
  // Names of environment variables are case-insensitive on Windows.
  const names = new Set(hidden.map((name) => name.toUpperCase()));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name.toUpperCase())));
}
