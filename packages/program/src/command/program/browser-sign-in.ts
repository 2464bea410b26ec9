/** What signing in with a browser takes on this machine: a page that opens, and an address that it returns to. */
import type { BrowserSignIn } from "@bough/agent/model/index.js";

interface BrowserSignInParts {
  /** Shows the address too: the browser may run on another machine, or not at all. */
  readonly tell: (url: string) => void;
  readonly signal: AbortSignal;
}

export async function browserSignIn({ tell, signal }: BrowserSignInParts): Promise<BrowserSignIn> {
  const [{ openInBrowser }, { loopbackRedirect }] = await Promise.all([
    import("@bough/agent/mcp/index.js"),
    import("@bough/agent/mcp/internal.js"),
  ]);
  return {
    listen: async (state) => {
      const redirect = await loopbackRedirect({ state });
      const url = new URL(`${redirect.url}/${state}`);
      // The name that the provider documents for programs on this machine.
      url.hostname = "localhost";
      return { ...redirect, url: url.href };
    },
    open: (url) => {
      tell(url);
      openInBrowser(url);
    },
    signal,
  };
}
