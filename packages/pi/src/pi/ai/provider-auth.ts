/** Ready-made parts for a provider's `auth`. */

interface Interaction {
  readonly signal?: AbortSignal;
  prompt(prompt: object): Promise<string>;
}

interface ResolveInput {
  readonly ctx: { env(name: string): Promise<string | undefined> };
  readonly credential?: { readonly key?: string; readonly env?: object };
}

/** Uses a saved key, or else the first of these variables that is set. */
export function envApiKeyAuth(name: string, variables: readonly string[]): object {
  return {
    name,
    login: async ({ prompt }: Interaction) => ({
      type: "api_key",
      key: await prompt({ type: "secret", message: `Enter ${name}` }),
    }),
    resolve: async ({ ctx, credential }: ResolveInput) => {
      if (credential?.key)
        return { auth: { apiKey: credential.key }, env: credential.env, source: "stored credential" };
      for (const variable of variables) {
        const apiKey = await ctx.env(variable);
        if (apiKey) return { auth: { apiKey }, source: variable };
      }
      return undefined;
    },
  };
}

type Flow = Readonly<Record<"login" | "refresh" | "toAuth", (...values: readonly unknown[]) => Promise<unknown>>>;

/** A login whose code is loaded on first use. */
export function lazyOAuth({ load, ...facts }: { readonly name: string; readonly load: () => Promise<Flow> }): object {
  let loading: Promise<Flow> | undefined;
  const flow = () => {
    loading ??= load();
    return loading;
  };
  return {
    ...facts,
    login: async (...values: readonly unknown[]) => (await flow()).login(...values),
    refresh: async (...values: readonly unknown[]) => (await flow()).refresh(...values),
    toAuth: async (...values: readonly unknown[]) => (await flow()).toAuth(...values),
  };
}
