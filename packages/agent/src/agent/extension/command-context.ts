import { defined } from "@bough/session/text/index.js";
import type { CommandContext, FrontEndUi } from "../../extension/index.js";
import type { AgentSession } from "../agent-session.js";
import { extensionContext } from "./extension-context.js";
import type { ExtensionHostOptions } from "./host-options.js";

type Replacing = NonNullable<Parameters<CommandContext["switchSession"]>[1]>;

/** The context of commands and shortcuts, which may also wait for the session or leave it. */
export function commandContext(agent: () => AgentSession, options: ExtensionHostOptions): Omit<CommandContext, "args"> {
  const context = extensionContext(agent, options);
  const finish = async (cancelled: boolean, { withSession }: Replacing): Promise<{ cancelled: boolean }> => {
    if (cancelled || withSession === undefined) return { cancelled };
    const replaced = Object.defineProperties(
      {
        args: "",
        sendMessage: (...given: Parameters<AgentSession["sendMessage"]>) => void agent().sendMessage(...given),
        sendUserMessage: (...given: Parameters<AgentSession["sendUserMessage"]>) =>
          void agent().sendUserMessage(...given),
      },
      Object.getOwnPropertyDescriptors(made),
    );
    await withSession(replaced as unknown as Parameters<typeof withSession>[0]);
    return { cancelled };
  };
  const made: Omit<CommandContext, "args"> = Object.defineProperties(
    {
      getSystemPromptOptions: () => agent().systemPromptOptions,
      waitForIdle: () => agent().whenIdle(),
      newSession: async ({ parentSession, setup, ...rest } = {}) => {
        const { kind } = await agent().newSession(defined({ parentSession }));
        if (kind === "done") await setup?.(agent().session);
        return finish(kind !== "done", rest);
      },
      fork: async (entryId, { position = "before", ...rest } = {}) => {
        const { cancelled } = await agent().fork(entryId, { position });
        return finish(cancelled, rest);
      },
      switchSession: async (file, rest = {}) => {
        const { kind } = await agent().openSession(file);
        return finish(kind !== "done", rest);
      },
      reload: async () => {
        if (options.reload === undefined) throw new Error("Extensions cannot be reloaded here");
        await options.reload();
        (options.ui as FrontEndUi).reloaded?.();
      },
    } satisfies Pick<
      CommandContext,
      "getSystemPromptOptions" | "waitForIdle" | "newSession" | "fork" | "switchSession" | "reload"
    >,
    Object.getOwnPropertyDescriptors(context),
  ) as Omit<CommandContext, "args">;
  return made;
}
