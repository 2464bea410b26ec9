import type { SessionEntry, SessionHeader, TitleLine } from "../entry/index.js";

/** Where the name of a session is looked up. */
interface NamedSession {
  readonly nameEntries: readonly number[];
  readonly title: TitleLine | undefined;
  readonly header: SessionHeader;
  entryAt(n: number): SessionEntry;
}

/** The latest name, from the session or oh-my-pi's title. */
export function sessionName(session: NamedSession): string | undefined {
  const { nameEntries } = session;
  for (let i = nameEntries.length - 1; i >= 0; i--) {
    const entry = session.entryAt(nameEntries[i] as number) as { readonly name?: unknown; readonly title?: unknown };
    const name = nonEmpty(entry.name) ?? nonEmpty(entry.title);
    if (name !== undefined) return name;
  }
  return nonEmpty(session.title?.title) ?? nonEmpty((session.header as { readonly title?: unknown }).title);
}

export function nonEmpty(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
