/** Asks for permission for a tool call, as a question with options. */
import { resolve } from "node:path";
import type { PermissionOption, ToolCallContent } from "@agentclientprotocol/sdk/unstable";
import type { PermissionAnswer, PermissionQuestion } from "@bough/agent/tool/index.js";
import { visibleText } from "@bough/session/text/index.js";
import { blockedWords, permissionTitle } from "@bough/session/view/internal.js";
import type { ClientLink } from "../client/client-link.js";
import { previewContent } from "../update/diff-content.js";
import { textContent, toolKind } from "../update/tool-call.js";
import { questionId } from "./ask-choice.js";

interface AskOptions {
  readonly cwd: string;
}

/** No answer means no. */
export async function askPermission(
  link: ClientLink,
  question: PermissionQuestion,
  { cwd }: AskOptions,
): Promise<PermissionAnswer> {
  const toolCallId = question.callId ?? questionId();
  const call = { toolCallId, title: titleOf(question), kind: toolKind(question.tool) } as const;
  const isFile = question.action === "write" || question.action === "read";
  // A question without a call, such as an extension's, is sent as a call of its own.
  if (question.callId === undefined) link.update({ sessionUpdate: "tool_call", ...call, status: "pending" });
  const chosen = await link.choose({
    toolCall: {
      ...call,
      status: "pending",
      content: contentOf(question, cwd),
      ...(isFile ? { locations: [{ path: resolve(cwd, question.target) }] } : {}),
      rawInput: { action: question.action, target: question.target },
    },
    options: optionsOf(question, link.facts.forms),
  });
  const answer = await answerOf(link, chosen);
  // The outcome of a model's call is sent with its result.
  if (question.callId === undefined) {
    const status = typeof answer === "string" && answer !== "no" ? "completed" : "failed";
    link.update({ sessionUpdate: "tool_call_update", toolCallId, status });
  }
  return answer;
}

/** "Run this command? npm test" */
function titleOf(question: PermissionQuestion): string {
  return `${permissionTitle(question)} ${visibleText(question.shown, { newlines: "escape" }).text}`;
}

function contentOf(question: PermissionQuestion, cwd: string): ToolCallContent[] {
  const { warnings, preview, target, note, blocked = [] } = question;
  return [
    ...blocked.map((one) => textContent(`The sandbox blocked ${blockedWords(one)}`)),
    ...warnings.map((warning) => textContent(`Warning: ${warning}`)),
    ...(note === undefined ? [] : [textContent(note)]),
    ...(preview === undefined ? [] : previewContent(resolve(cwd, target), preview)),
  ];
}

function optionsOf({ grant, project, everywhere }: PermissionQuestion, forms: boolean): PermissionOption[] {
  const shown = (text: string) => visibleText(text, { newlines: "escape" }).text;
  return [
    { optionId: "once", name: "Allow once", kind: "allow_once" },
    ...(project === undefined
      ? []
      : [{ optionId: "project", name: `Always in this project: ${shown(project)}`, kind: "allow_always" } as const]),
    ...(everywhere === undefined
      ? []
      : [
          {
            optionId: "everywhere",
            name: `Always in every project: ${shown(everywhere)}`,
            kind: "allow_always",
          } as const,
        ]),
    ...(grant === undefined
      ? []
      : [{ optionId: "session", name: `For this session: ${shown(grant)}`, kind: "allow_always" } as const]),
    { optionId: "no", name: "Reject", kind: "reject_once" },
    ...(forms
      ? [{ optionId: "instead", name: "Reject, and say what to do instead", kind: "reject_once" } as const]
      : []),
  ];
}

async function answerOf(
  link: ClientLink,
  chosen: { readonly id: string; readonly reason?: string } | undefined,
): Promise<PermissionAnswer> {
  switch (chosen?.id) {
    case "once":
    case "session":
    case "project":
    case "everywhere":
      return chosen.id;
    case "instead": {
      const reason = chosen.reason ?? (await link.askText("What should it do instead?"));
      return reason === undefined ? "no" : { answer: "no", reason };
    }
    default:
      return chosen?.reason === undefined ? "no" : { answer: "no", reason: chosen.reason };
  }
}
