/** Asks the user the questions of a server, with the front end's dialogs. */
import { isLoopback, isRecord, withoutControls } from "@bough/session/text/index.js";

/** How the user is asked; a front end's `ui` implements it. */
export interface ServerQuestions {
  select(
    title: string,
    options: readonly string[],
    dialog?: { readonly signal?: AbortSignal },
  ): Promise<string | undefined>;
  input(title: string, placeholder?: string, dialog?: { readonly signal?: AbortSignal }): Promise<string | undefined>;
}

type Value = string | number | boolean | string[];

export type Elicited =
  | { readonly action: "accept"; readonly content?: Record<string, Value> }
  | { readonly action: "decline" | "cancel" };

interface Elicitation {
  readonly server: string;
  readonly params: unknown;
  readonly questions: ServerQuestions;
  readonly signal: AbortSignal;
  /** Opens a URL in a browser, after the user agreed. */
  readonly open: (url: string) => void;
}

const MOST_FIELDS = 20;
const ATTEMPTS = 3;

/**
 * An unanswered question cancels. Forms are asked field by field; a URL must be https, and the user is asked before
 * opening it.
 */
export async function elicit({ server, params, questions, signal, open }: Elicitation): Promise<Elicited> {
  if (!isRecord(params)) return { action: "decline" };
  const message = clean(params.message, 1_000);
  const title = `The MCP server ${server} asks: ${message}`;
  if (params.mode === "url") return askUrl({ title, url: params.url, questions, signal, open });
  const fields = fieldsOf(params.requestedSchema);
  if (fields === undefined) return { action: "decline" };
  const answer = await questions.select(title, ["Answer", "Decline"], { signal });
  if (answer !== "Answer") return { action: answer === "Decline" ? "decline" : "cancel" };
  const content: [string, Value][] = [];
  for (const field of fields) {
    const value = await askField(field, questions, signal);
    if (value === undefined) return { action: "cancel" };
    if (value !== "") content.push([field.name, value]);
  }
  return { action: "accept", content: Object.fromEntries(content) };
}

interface UrlQuestion extends Pick<Elicitation, "questions" | "signal" | "open"> {
  readonly title: string;
  readonly url: unknown;
}

async function askUrl({ title, url, questions, signal, open }: UrlQuestion): Promise<Elicited> {
  if (typeof url !== "string" || !isOpenable(url)) return { action: "decline" };
  const shown = new URL(url);
  const answer = await questions.select(`${title}\nOpen ${shown.href}?`, ["Open", "Decline"], { signal });
  if (answer !== "Open") return { action: answer === "Decline" ? "decline" : "cancel" };
  open(shown.href);
  return { action: "accept" };
}

/** https, or http on this machine. Anything else could start a program or be intercepted. */
function isOpenable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

interface Field {
  readonly name: string;
  readonly title: string;
  readonly type: "string" | "number" | "integer" | "boolean" | "list";
  readonly isRequired: boolean;
  /** Pairs of displayed text and value. */
  readonly choices: readonly (readonly [shown: string, value: string])[];
  readonly fallback: string;
}

/** Undefined if the schema is not a form. */
function fieldsOf(schema: unknown): readonly Field[] | undefined {
  if (!isRecord(schema) || !isRecord(schema.properties)) return undefined;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields: Field[] = [];
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!isRecord(property)) return undefined;
    const type = property.type === "array" ? "list" : property.type;
    if (type !== "string" && type !== "number" && type !== "integer" && type !== "boolean" && type !== "list")
      return undefined;
    const about = [clean(property.title, 200) || clean(name, 200), clean(property.description, 500)].filter(Boolean);
    fields.push({
      name,
      title: about.join(": "),
      type,
      isRequired: required.includes(name),
      choices: choicesOf(type === "list" && isRecord(property.items) ? property.items : property),
      fallback: property.default === undefined ? "" : clean(String(property.default), 200),
    });
  }
  return fields.length <= MOST_FIELDS ? fields : undefined;
}

function choicesOf(property: Readonly<Record<string, unknown>>): Field["choices"] {
  const titled = Array.isArray(property.oneOf) ? property.oneOf : Array.isArray(property.anyOf) ? property.anyOf : [];
  const listed = titled.flatMap((item) =>
    isRecord(item) && typeof item.const === "string"
      ? [[clean(item.title, 200) || clean(item.const, 200), item.const] as const]
      : [],
  );
  if (listed.length > 0) return listed;
  const values = Array.isArray(property.enum) ? property.enum.filter((value) => typeof value === "string") : [];
  const names = Array.isArray(property.enumNames) ? property.enumNames : [];
  return values.map((value, at) => [clean(names[at], 200) || clean(value, 200), value] as const);
}

/** Empty for a skipped optional field; undefined if not answered. */
async function askField(field: Field, questions: ServerQuestions, signal: AbortSignal): Promise<Value | undefined> {
  const { title, type, isRequired, choices, fallback } = field;
  const label = isRequired ? title : `${title} (optional)`;
  if (type === "boolean" || (choices.length > 0 && type === "string")) {
    const shown = type === "boolean" ? ["yes", "no"] : choices.map(([text]) => text);
    const answer = await questions.select(label, isRequired ? shown : [...shown, "(skip)"], { signal });
    if (answer === undefined) return undefined;
    if (answer === "(skip)") return "";
    return type === "boolean" ? answer === "yes" : (choices.find(([text]) => text === answer)?.[1] ?? "");
  }
  let problem = "";
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const hint = choices.length > 0 ? ` [${choices.map(([, value]) => value).join(", ")}]` : "";
    const typed = await questions.input(`${label}${hint}${problem}`, fallback, { signal });
    if (typed === undefined) return undefined;
    const value = typedValue(typed.trim() === "" ? fallback : typed, field);
    if (value !== undefined) return value;
    problem = isRequired && typed.trim() === "" ? " (required)" : ` (not a valid ${type})`;
  }
  return undefined;
}

function typedValue(typed: string, { type, isRequired, choices }: Field): Value | undefined {
  const text = typed.trim();
  if (text === "") return isRequired ? undefined : "";
  if (type === "string") return typed;
  if (type === "list") {
    const items = text.split(",").map((item) => item.trim());
    return items.every((item) => choices.length === 0 || choices.some(([, value]) => value === item))
      ? items
      : undefined;
  }
  const number = Number(text);
  return Number.isFinite(number) && (type === "number" || Number.isInteger(number)) ? number : undefined;
}

function clean(text: unknown, most: number): string {
  return typeof text === "string" ? withoutControls(text).slice(0, most) : "";
}
