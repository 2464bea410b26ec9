/** Sends what the user typed. */
import type { AgentSession, PromptOptions } from "@bough/agent/agent/index.js";
import { CodedError } from "@bough/session/entry/index.js";
import { errorText, type Notice } from "@bough/session/text/index.js";
import { failureNotice } from "../../command/index.js";
import { readOnlyWords } from "../app/reopen.js";
import type { PanelHost } from "../host/panel-host.js";
import type { PastedImages } from "./editor/pasted-images.js";
import { readPromptImages } from "./editor/prompt-images.js";

interface SendParts {
  readonly agent: AgentSession;
  readonly host: Pick<PanelHost, "status" | "keys">;
  readonly cwd: string;
  readonly isCommand: (line: string) => boolean;
  readonly runCommand: (line: string) => Promise<void>;
  /** Images pasted into the editor. */
  readonly pasted?: Pick<PastedImages, "in">;
}

/** `kept`: it was not sent and should go back to the editor. */
export type SendOutcome = "sent" | "kept";

/** When to deliver a text to a running agent: at its next step, or when it is done. */
export type WhenBusy = "steer" | "follow-up";

/** Never rejects; errors are shown in the status line. Resolves when everything it started has ended. */
export async function sendText(text: string, whenBusy: WhenBusy, parts: SendParts): Promise<SendOutcome> {
  const { agent, host } = parts;
  try {
    if (text.startsWith("/") && parts.isCommand(text)) {
      await parts.runCommand(text);
      return "sent";
    }
    const shell = /^(!{1,2})\s*([\s\S]+)$/.exec(text);
    if (shell !== null) {
      await agent.runBash(shell[2] as string, { excludeFromContext: shell[1] === "!!" });
      return "sent";
    }
    const options = /@|\[image /.test(text) ? await imagesFor(text, parts) : {};
    if (!agent.isStreaming && !agent.isStopping) await agent.prompt(text, options);
    else if (whenBusy === "steer") agent.steer(text, options);
    else agent.followUp(text, options);
    return "sent";
  } catch (error) {
    host.status(whatFailed(error, host), "error");
    return error instanceof CodedError && NOT_SENT.has(error.code) ? "kept" : "sent";
  }
}

const DISK_FULL: Notice = {
  message: "Could not save the last entry: the disk is full.",
  hint: "It is kept in memory and saved as soon as there is space.",
};

function whatFailed(error: unknown, { keys }: SendParts["host"]): string | Notice {
  if (!(error instanceof CodedError)) return errorText(error);
  if (error.code === "read-only" && error.data.reason === "asked") return readOnlyWords(keys);
  // For a full disk the advice comes first: the file's path may be longer than the line.
  return error.code === "disk-full" ? DISK_FULL : failureNotice(error);
}

/** Failures that happen before anything is written. */
const NOT_SENT: ReadonlySet<string> = new Set(["busy", "no-model", "read-only"]);

/** Images named in the text are sent with it. */
async function imagesFor(text: string, { host, cwd, pasted }: SendParts): Promise<PromptOptions> {
  const { images: named, problems } = await readPromptImages(text, cwd);
  for (const problem of problems) host.status(problem, "warning");
  const images = [...(pasted?.in(text) ?? []), ...named];
  return images.length > 0 ? { images } : {};
}
