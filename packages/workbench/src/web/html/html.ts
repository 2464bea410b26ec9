/** Safe HTML as a type of its own: values in a template are escaped, unless they are HTML already. */

export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[] | undefined | false;

/** The only way to turn text into HTML. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] as string;
  for (const [i, part] of parts.entries()) text += `${partText(part)}${strings[i + 1]}`;
  return { html: text };
}

export const NO_HTML: Html = { html: "" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] as string);
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function partText(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string") return escapeHtml(part);
  if (typeof part === "number") return String(part);
  return "html" in part ? part.html : part.map((one) => one.html).join("");
}
