/** The lists in `docs/rpc.md`, generated from the server's own tables. */
import { CLIENT_QUESTIONS } from "./client-questions.js";
import type { RpcMethod } from "./methods/rpc-method.js";
import { RPC_METHOD_GROUPS } from "./methods/rpc-methods.js";
import { EVENTS } from "./shape/event-shapes.js";

/** The page with each list between its two marks; everything else stays. */
export function withRpcLists(page: string): string {
  return Object.entries(lists()).reduce((text, [name, list]) => {
    const [begin, end] = [`<!-- ${name}: made from the code -->`, `<!-- end of ${name} -->`];
    const from = text.indexOf(begin);
    const to = text.indexOf(end);
    if (from < 0 || to < from) throw new Error(`The page has no section for the list of ${name}`);
    return `${text.slice(0, from + begin.length)}\n\n${list}\n\n${text.slice(to)}`;
  }, page);
}

function lists(): Readonly<Record<string, string>> {
  const groups = Object.entries<Readonly<Record<string, RpcMethod>>>(RPC_METHOD_GROUPS).map(([title, methods]) => {
    const rows = Object.entries(methods).map(
      ([name, method]) => `- \`${name}\`${paramsText(method)}: ${method.summary}`,
    );
    return [`### ${title}`, "", ...rows].join("\n");
  });
  const questions = Object.entries(CLIENT_QUESTIONS).map(
    ([name, { summary, params }]) => `- \`${name}\` \`{ ${Object.keys(params.shape).join(", ")} }\`: ${summary}`,
  );
  const events = Object.entries(EVENTS).map(([name, { summary, fields }]) => {
    const names = Object.entries(fields).map(([key, type]) => (type.safeParse(undefined).success ? `${key}?` : key));
    return `- \`${name}\`${names.length === 0 ? "" : ` \`{ ${names.join(", ")} }\``}: ${summary}`;
  });
  return { methods: groups.join("\n\n"), questions: questions.join("\n"), events: events.join("\n") };
}

/** Parameter names; optional ones have a question mark. */
function paramsText({ params }: RpcMethod): string {
  const shape = (params as unknown as { readonly shape: Readonly<Record<string, RpcMethod["params"]>> }).shape;
  const names = Object.entries(shape).map(([name, type]) => (type.safeParse(undefined).success ? `${name}?` : name));
  return names.length === 0 ? "" : ` \`{ ${names.join(", ")} }\``;
}
