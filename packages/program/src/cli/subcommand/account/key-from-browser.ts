/** Signs in with a browser and returns the key. */
import { BROWSER_SIGN_INS, type UserModelRegistry } from "@bough/agent/model/index.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall } from "../subcommand.js";

interface BrowserRequest extends Pick<SubcommandCall, "out" | "signal"> {
  readonly registry: UserModelRegistry;
  readonly provider: string;
}

/** Shows the address on standard error too: the browser may run on another machine, or not at all. */
export async function keyFromBrowser({ registry, provider, out, signal }: BrowserRequest): Promise<string> {
  if (!BROWSER_SIGN_INS.includes(provider)) {
    throw usageError(
      `${provider} has no sign-in for other programs`,
      `It is there for: ${BROWSER_SIGN_INS.join(", ")}`,
    );
  }
  const [{ openInBrowser }, { loopbackRedirect }] = await Promise.all([
    import("@bough/agent/mcp/index.js"),
    import("@bough/agent/mcp/internal.js"),
  ]);
  return registry.keyFromBrowser(provider, {
    listen: async (state) => {
      const redirect = await loopbackRedirect({ state });
      const url = new URL(`${redirect.url}/${state}`);
      // The name that the provider documents for programs on this machine.
      url.hostname = "localhost";
      return { ...redirect, url: url.href };
    },
    open: (url) => {
      out.notice(`Sign in with your browser:\n${url}`);
      openInBrowser(url);
    },
    signal,
  });
}
