/** Resources of MCP servers that a prompt mentions with `@server:uri`, as messages added after it. */

import { errorText, fenced } from "@bough/session/text/index.js";
import type { CustomMessageInput } from "../../extension/index.js";
import type { OperationOptions } from "../agent-parts.js";
import type { RunParts } from "../run-parts.js";

const MENTION = /(?:^|\s)@([A-Za-z0-9][\w-]*):(\S+)/g;
const MOST = 10;

/** A resource that cannot be read is reported to the user and the model; the prompt is sent anyway. */
export async function resourceMessages(
  { servers, emit }: Pick<RunParts, "servers" | "emit">,
  text: string,
  options: OperationOptions,
): Promise<readonly CustomMessageInput[]> {
  if (servers === undefined || !text.includes("@")) return [];
  const known = new Set(servers.list().map(({ name }) => name));
  const found = new Map<string, { readonly server: string; readonly uri: string }>();
  for (const [, server = "", written = ""] of text.matchAll(MENTION)) {
    const uri = written.replace(/[.,;!?)]+$/, "");
    if (known.has(server) && uri !== "") found.set(`@${server}:${uri}`, { server, uri });
  }
  return Promise.all(
    [...found].slice(0, MOST).map(async ([name, { server, uri }]) => {
      const message = { customType: "resource", display: true, details: { server, uri } };
      try {
        const { text: content, images } = await servers.readResource(server, uri, options);
        const said = `${name}\n${fenced(content)}`;
        return { ...message, content: images.length === 0 ? said : [{ type: "text", text: said }, ...images] };
      } catch (error) {
        const content = `${name} could not be read: ${errorText(error)}`;
        emit({ type: "notice", level: "warning", message: content });
        return { ...message, content };
      }
    }),
  ) as Promise<readonly CustomMessageInput[]>;
}
