/** A provider that people log in to with a code, and that lists its models itself. */
import { createHash, randomBytes } from "node:crypto";
import type { OAuthCredentials } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const origin = process.env.SSO_URL ?? "";
const limits = { reasoning: false, input: ["text" as const], contextWindow: 32000, maxTokens: 2000 };
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

async function tokens(form: Record<string, string>): Promise<OAuthCredentials> {
  const response = await fetch(`${origin}/token`, { method: "POST", body: new URLSearchParams(form) });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = (await response.json()) as never;
  return { access, refresh, expires: Date.now() + seconds * 1000 };
}

export default function (pi: ExtensionAPI) {
  pi.registerProvider("sso", {
    name: "SSO",
    baseUrl: `${origin}/nowhere`,
    api: "openai-completions",
    models: [{ id: "first", name: "First", cost, ...limits }],
    refreshModels: async ({ credential, allowNetwork, signal }) => {
      if (!allowNetwork || credential?.type !== "oauth") return [{ id: "first", name: "First", cost, ...limits }];
      const headers = { authorization: `Bearer ${credential.access}` };
      const response = await fetch(`${origin}/v1/models`, { headers, signal });
      const { data } = (await response.json()) as { data: { id: string }[] };
      return data.map(({ id }) => ({ id, name: id, cost, ...limits }));
    },
    oauth: {
      name: "The company's login",
      async login(callbacks) {
        const verifier = randomBytes(32).toString("base64url");
        const challenge = createHash("sha256").update(verifier).digest("base64url");
        const query = new URLSearchParams({ redirect_uri: "http://127.0.0.1:9/", code_challenge: challenge });
        callbacks.onAuth({ url: `${origin}/authorize?${query}` });
        const code = await callbacks.onPrompt({ message: "Code:" });
        return tokens({ grant_type: "authorization_code", code, code_verifier: verifier });
      },
      refreshToken: ({ refresh }) => tokens({ grant_type: "refresh_token", refresh_token: refresh }),
      getApiKey: ({ access }) => access,
      modifyModels: (models) => models.map((model) => ({ ...model, baseUrl: `${origin}/v1` })),
    },
  });
  pi.registerCommand("who", {
    handler: async (_args, ctx) => {
      const models = ctx.modelRegistry.getAvailable().filter(({ provider }) => provider === "sso");
      const [first] = models;
      const oauth = first !== undefined && ctx.modelRegistry.isUsingOAuth(first);
      ctx.ui.notify(`${models.map(({ id }) => id).join(",") || "none"} ${oauth}`, "info");
    },
  });
}
