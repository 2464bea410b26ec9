import type { CommandContext, ExtensionContext, ReplacedSessionContext } from "./api/extension-context.js";
import { customForms, type ExtensionUi, uiForExtension } from "./extension-ui.js";
import type { HoldClock } from "./wait-for.js";

/** The context for a handler, whose time limit pauses while the user is asked. */
export function contextForHandler(
  context: ExtensionContext,
  { extension, hold }: { readonly extension: string; readonly hold: HoldClock },
): ExtensionContext {
  const get = (): ExtensionUi => pausingUi(uiForExtension(context.ui, extension), hold);
  return withProperties(context, { ui: { get, enumerable: true } }) as ExtensionContext;
}

/** The context for a command, with its arguments. */
export function contextForCommand(
  context: Omit<CommandContext, "args">,
  { extension, args }: { readonly extension: string; readonly args: string },
): CommandContext {
  const own = <Given extends object>(given: Given): Given =>
    withProperties(given, { ui: { get: () => uiForExtension(context.ui, extension), enumerable: true } }) as Given;
  /** Gives `withSession` a context with this extension's `ui`, too. */
  const withOwnUi = <Options extends SessionOptions>(options: Options | undefined): Options | undefined => {
    const { withSession } = options ?? {};
    return withSession === undefined ? options : { ...(options as Options), withSession: (to) => withSession(own(to)) };
  };
  const moves: Pick<CommandContext, "newSession" | "fork" | "switchSession"> = {
    newSession: (options) => context.newSession(withOwnUi(options)),
    fork: (entryId, options) => context.fork(entryId, withOwnUi(options)),
    switchSession: (file, options) => context.switchSession(file, withOwnUi(options)),
  };
  return withProperties(own(context), {
    ...Object.getOwnPropertyDescriptors(moves),
    args: { value: args, enumerable: true },
  }) as CommandContext;
}

interface SessionOptions {
  readonly withSession?: (context: ReplacedSessionContext) => void | Promise<void>;
}

/** Copies with getters instead of values, so that the copy always shows the current state of the session. */
function withProperties(context: object, properties: PropertyDescriptorMap): object {
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(context), ...properties });
}

function pausingUi(ui: ExtensionUi, hold: HoldClock): ExtensionUi {
  const asked = async <Answer>(question: Promise<Answer>): Promise<Answer> => {
    const release = hold();
    try {
      return await question;
    } finally {
      release();
    }
  };
  const pausing: Pick<ExtensionUi, "select" | "confirm" | "input" | "editor" | "custom"> = {
    select: (...question) => asked(ui.select(...question)),
    confirm: (...question) => asked(ui.confirm(...question)),
    input: (...question) => asked(ui.input(...question)),
    editor: (...question) => asked(ui.editor(...question)),
    custom: customForms((factory, options) => asked(ui.custom(factory, options))),
  };
  return withProperties(ui, Object.getOwnPropertyDescriptors(pausing)) as ExtensionUi;
}
