import { spawn } from "node:child_process";
import { startProgram } from "@bough/session/log/index.js";

/** Opens a URL in the user's browser. Errors are ignored, because the URL is also shown. */
export function openInBrowser(url: string): void {
  const own = process.env.BROWSER;
  const [command, ...args] =
    own !== undefined && own !== ""
      ? [own, url]
      : process.platform === "darwin"
        ? ["open", url]
        : process.platform === "win32"
          ? ["rundll32", "url.dll,FileProtocolHandler", url]
          : ["xdg-open", url];
  const child = startProgram({ program: command as string }, (found) =>
    spawn(found, args, { stdio: "ignore", detached: true }),
  );
  child.on("error", () => {});
  child.unref();
}
