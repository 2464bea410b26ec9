/** Sections that a handler of pi adds to the system prompt, for a prompt that is a single string. */

interface PromptOptions extends Record<string, unknown> {
  appendSystemPrompt?: string;
  sections?: Record<string, string>;
  toolGuidelines?: Record<string, string[]>;
  forceSystemPrompt?: string;
}

type Event = Readonly<Record<string, unknown>>;

/** Adds the fields that our options lack. Changes the options in place, so that later handlers see the changes. */
export function withSections(event: Event): Event {
  const options = event.systemPromptOptions as PromptOptions | undefined;
  if (options === undefined) return event;
  options.sections ??= {};
  options.toolGuidelines ??= {};
  return event;
}

/** Appends the sections to the prompt, each in tags with its name; a forced prompt replaces everything. */
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
