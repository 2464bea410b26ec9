/** The page that `scripts/build/page.mjs` made, in the parts between which a session is put. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ExportError } from "../../entry/index.js";

interface PageTemplate {
  readonly beforeTitle: string;
  readonly beforeFacts: string;
  /** The client, which starts as soon as the browser is here. */
  readonly client: string;
  readonly end: string;
}

/** Where the template stands in the package, and where a run from the sources finds it. */
const PLACES = ["../web/page.html", "../../../dist/web/page.html"];
const MARKS = /<!--bough:(?:title|facts|rest)-->/;

export function readPageTemplate(path?: string): PageTemplate {
  const places = path === undefined ? PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))) : [path];
  const found = places.find((place) => existsSync(place));
  const parts = found === undefined ? [] : readFileSync(found, "utf8").split(MARKS);
  const [beforeTitle, beforeFacts, client, end] = parts;
  if (beforeTitle === undefined || beforeFacts === undefined || client === undefined || end === undefined) {
    throw new ExportError("export-failed", "The page for HTML exports is missing from this installation", {
      data: { places },
      hint: "Reinstall Bough; in a checkout, run npm run build.",
    });
  }
  return { beforeTitle, beforeFacts, client, end };
}
