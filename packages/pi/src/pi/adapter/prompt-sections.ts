/** Sections of the system prompt that a handler of pi adds, for a prompt that is one text. */

interface PromptOptions extends Record<string, unknown> {
  appendSystemPrompt?: string;
  sections?: Record<string, string>;
  toolGuidelines?: Record<string, string[]>;
  forceSystemPrompt?: string;
}

type Event = Readonly<Record<string, unknown>>;

/** The event, with the fields of its options that ours do not have. They are the same object: later handlers see changes. */
export function withSections(event: Event): Event {
  const options = event.systemPromptOptions as PromptOptions | undefined;
  if (options === undefined) return event;
  options.sections ??= {};
  options.toolGuidelines ??= {};
  return event;
}

/** Sections are added to the end of the prompt, each between tags of its name; a forced prompt takes the place of all. */
export function applySections(event: Event, answer: unknown): unknown {
  const options = event.systemPromptOptions as PromptOptions | undefined;
  if (options === undefined) return answer;
  const { sections = {}, forceSystemPrompt } = options;
  const texts = Object.entries(sections).map(([name, text]) => `<${name}>\n${text}\n</${name}>`);
  if (texts.length > 0) {
    options.appendSystemPrompt = [options.appendSystemPrompt ?? "", ...texts]
      .filter((text) => text !== "")
      .join("\n\n");
    options.sections = {};
  }
  return forceSystemPrompt === undefined
    ? answer
    : { ...(answer as object | undefined), systemPrompt: forceSystemPrompt };
}
