/** The words of a permission question and of a refusal: one place, so that every front end says the same. */
import { defined, visibleText } from "../../text/index.js";
import type { FilePreview, PermissionMode, PermissionQuestion, PermissionRequest } from "../tool.js";
import type { AskedRequest } from "./asked-request.js";
import { grantFor } from "./grants.js";

export function permissionQuestion(asked: AskedRequest): PermissionQuestion {
  const { request, always } = asked;
  const isPath = request.action === "read" || request.action === "write";
  const shown = visibleText(request.target, isPath ? { newlines: "escape" } : {});
  const grant = grantFor(asked)?.words;
  return {
    ...request,
    shown: shown.text,
    warnings: [
      ...hiddenWarning(WHAT[request.action], shown.hidden),
      // Line endings of Windows are ordinary content; the preview shows them all the same.
      ...hiddenWarning("change", visibleText(previewText(request.preview).replaceAll("\r\n", "\n")).hidden),
      ...(always === undefined ? [] : [`${always} You are asked every time.`]),
      ...(request.note === undefined ? [] : [request.note]),
    ],
    ...defined({ grant }),
  };
}

const WHAT = { read: "path", write: "path", run: "command", use: "input" } as const;

function hiddenWarning(what: string, hidden: readonly string[]): readonly string[] {
  if (hidden.length === 0) return [];
  const some = hidden.slice(0, 5).join(" ") + (hidden.length > 5 ? " ..." : "");
  return [`This ${what} contains hidden characters, shown as ${some}`];
}

function previewText(preview: FilePreview | undefined): string {
  if (preview === undefined) return "";
  return preview.kind === "change" ? preview.diff : preview.text;
}

const VERBS = { read: "reading", write: "writing", run: "running" } as const;

/** For the model. */
export function described({ tool, action, target }: PermissionRequest): string {
  return action === "use" ? `using the tool ${tool} with ${target}` : `${VERBS[action]} ${target}`;
}

export function deniedReason(request: PermissionRequest): string {
  const why =
    request.action === "read" ? "only files inside the working directory may be read" : "nothing may be changed or run";
  return `The permission mode is read-only: ${why}. The user can change it with the permission mode "ask" or "auto". Refused: ${described(request)}`;
}

/** No one is there to ask. */
export function unaskedReason({ request, place, always }: AskedRequest, mode: PermissionMode): string {
  const change =
    always !== undefined
      ? `${always} Changes to it are always asked about`
      : place === "outside"
        ? "Anything outside the working directory needs confirmation"
        : 'The user can allow it with the permission mode "auto"';
  return `The permission mode is ${mode} and no one can confirm. ${change}. Refused: ${described(request)}`;
}

/** What the user said along with the no comes last, whole: it is what to do instead. */
export function saidNo(request: PermissionRequest, reason: string | undefined): string {
  const no = `The user said no to ${described(request)}`;
  return reason === undefined || reason.trim() === "" ? no : `${no}\nThe user said: ${reason.trim()}`;
}
