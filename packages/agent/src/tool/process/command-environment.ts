import { keyVariables } from "../../model/index.js";

/**
 * An environment for commands: everything but the keys of model providers, which no build needs and whose value would
 * end up in the session with the first `env`. It keeps accidents away, not a command that goes looking for them.
 */
export function commandEnvironment(
  env: NodeJS.ProcessEnv,
  hidden: readonly string[] = keyVariables(),
): NodeJS.ProcessEnv {
  // Windows does not tell upper case from lower case in these names.
  const names = new Set(hidden.map((name) => name.toUpperCase()));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name.toUpperCase())));
}
