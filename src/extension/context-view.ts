import type { CommandContext, ExtensionContext, ExtensionUi } from "./extension-api.js";
import type { HoldClock } from "./wait-for.js";

/** The same context with a clock that is still while a user is asked something. */
export function contextForHandler(context: ExtensionContext, hold: HoldClock): ExtensionContext {
  return withProperty(context, "ui", { get: () => patientUi(context.ui, hold), enumerable: true }) as ExtensionContext;
}

/** The context of a command: the same, with what was typed after its name. */
export function contextForCommand(context: ExtensionContext, args: string): CommandContext {
  return withProperty(context, "args", { value: args, enumerable: true }) as CommandContext;
}

/** A copy that keeps getters: what a context says of the session must not be as old as the copy. */
function withProperty(context: ExtensionContext, name: string, property: PropertyDescriptor): object {
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(context), [name]: property });
}

function patientUi(ui: ExtensionUi, hold: HoldClock): ExtensionUi {
  const asked = async <Answer>(question: Promise<Answer>): Promise<Answer> => {
    const release = hold();
    try {
      return await question;
    } finally {
      release();
    }
  };
  return {
    select: (title, options) => asked(ui.select(title, options)),
    confirm: (title, message) => asked(ui.confirm(title, message)),
    input: (title, placeholder) => asked(ui.input(title, placeholder)),
    editor: (title, text) => asked(ui.editor(title, text)),
    notify: (message, level) => ui.notify(message, level),
    custom(component, done) {
      const release = hold();
      return ui.custom(component, () => {
        release();
        done();
      });
    },
  };
}
