/** How a client's user provides a key: in the environment, or by logging in. */
import type { AuthMethod } from "@agentclientprotocol/sdk/unstable";
import { createModelRegistry, readAuthFile } from "@bough/agent/model/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { AcpError } from "./acp-error.js";
import type { ClientFacts } from "./client/client-facts.js";

const ENVIRONMENT = "environment";

/** Offered as logins; the others need a terminal and `bough login`. */
const LOGINS: Readonly<Record<string, string>> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  google: "Google",
  openrouter: "OpenRouter",
};

export function authMethods({ terminalLogin }: Pick<ClientFacts, "terminalLogin">): AuthMethod[] {
  const logins = Object.entries(LOGINS).map(([provider, name]) => ({
    type: "terminal" as const,
    id: `login-${provider}`,
    name: `Log in to ${name}`,
    description: `Asks for an API key in a terminal, checks it and saves it, as bough login ${provider} does.`,
    args: ["--login", provider],
  }));
  return [
    ...(terminalLogin ? logins : []),
    {
      id: ENVIRONMENT,
      name: "API key",
      description:
        "Run bough login <provider> in a terminal, or set a key such as ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY in the environment of the agent.",
    },
  ];
}

/** Whether a key is configured now. Keys are never sent over the protocol. */
export function authenticate(methodId: string): void {
  const isKnown = methodId === ENVIRONMENT || Object.keys(LOGINS).some((provider) => methodId === `login-${provider}`);
  if (!isKnown) throw new AcpError("invalidParams", `Unknown authentication method ${methodId}`);
  const registry = createModelRegistry({ home: boughHome(), env: process.env });
  if (registry.available().some(({ api }) => api !== "offline")) return;
  throw new AcpError("authRequired", "No API key was found. Run bough login <provider> in a terminal");
}

/** Removes all saved API keys of models. Keys in the environment stay, which is logged. */
export function logout(log: (line: string) => void): Record<string, never> {
  const home = boughHome();
  const registry = createModelRegistry({ home, env: process.env });
  for (const provider of readAuthFile(home).keys.keys()) {
    registry.saveKey(provider, undefined);
    const source = registry.keySource(provider);
    if (source?.kind === "variable") log(`${source.name} is still set and is used.`);
  }
  return {};
}
