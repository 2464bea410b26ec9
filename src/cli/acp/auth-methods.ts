/** How a client's user gives us a key: in the environment, or by logging in. */
import type { AuthMethod } from "@agentclientprotocol/sdk/unstable";
import { createModelRegistry } from "../../model/index.js";
import { boughHome } from "../../session/index.js";
import { AcpError } from "./acp-error.js";

const ENVIRONMENT = "environment";

export function authMethods(): AuthMethod[] {
  return [
    {
      id: ENVIRONMENT,
      name: "API key",
      description:
        "Set a provider's key, such as ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, in the environment of the agent, or save it in auth.json.",
    },
  ];
}

/** Whether there is a key by now. Keys are never part of the protocol. */
export function authenticate(methodId: string): void {
  if (methodId !== ENVIRONMENT) throw new AcpError("invalidParams", `Unknown authentication method ${methodId}`);
  const registry = createModelRegistry({ home: boughHome(), env: process.env });
  if (registry.available().some(({ api }) => api !== "offline")) return;
  throw new AcpError(
    "authRequired",
    "No API key was found. Set one in the environment of the agent and start it again",
  );
}
