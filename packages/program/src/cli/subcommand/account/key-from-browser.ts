/** Signs in with a browser and returns the key. */
import { BROWSER_SIGN_INS, type UserModelRegistry } from "@bough/agent/model/index.js";
import { browserSignIn } from "../../../command/door.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall } from "../subcommand.js";

interface BrowserRequest extends Pick<SubcommandCall, "out" | "signal"> {
  readonly registry: UserModelRegistry;
  readonly provider: string;
}

export async function keyFromBrowser({ registry, provider, out, signal }: BrowserRequest): Promise<string> {
  if (!BROWSER_SIGN_INS.includes(provider)) {
    throw usageError(
      `${provider} has no sign-in for other programs`,
      `It is there for: ${BROWSER_SIGN_INS.join(", ")}`,
    );
  }
  const tell = (url: string) => out.notice(`Sign in with your browser:\n${url}`);
  return registry.keyFromBrowser(provider, await browserSignIn({ tell, signal }));
}
