/** Loads one extension's code. TypeScript runs as it is; loading again reads the files again. */
import { errorText } from "@bough/session/text/index.js";
import type { ExtensionFactory } from "./extension-api.js";
import { importedModules } from "./load/imported-modules.js";
import { scriptTexts } from "./load/script-texts.js";

type ImportedExtension =
  | { readonly kind: "loaded"; readonly factory: ExtensionFactory }
  | { readonly kind: "failed"; readonly message: string };

export type SharedModules = Readonly<Record<string, unknown>>;

export interface ImportOptions {
  /** A folder of ours for compiled code: repeat loads are several times faster. */
  readonly cacheDir?: string;
  /**
   * Modules extensions may import by name and share with us. A function is called for each extension with the names its
   * scripts import, those of the adapter excepted, or with `unknown` if that cannot be told.
   */
  readonly modules?: SharedModules | ((imported: readonly string[] | "unknown") => Promise<SharedModules>);
  /** For extensions that were written for another program. Called when the first extension loads. */
  readonly adapter?: () => Promise<ExtensionAdapter>;
}

/** Lets extensions run here that were written for another program. */
export interface ExtensionAdapter {
  /** What an extension needs of it, by the text of its scripts: nothing, the modules that it imports, or all of it. */
  needs(scripts: readonly string[]): "nothing" | "modules" | "everything";
  /** What the other program lets extensions import, by name. Loaded when an extension needs it. */
  modules(): Promise<SharedModules>;
  /** The factory for our API, made from one for the other program's. */
  adapt(factory: (api: never) => unknown): Promise<ExtensionFactory>;
}

export async function importExtension(file: string, options: ImportOptions = {}): Promise<ImportedExtension> {
  try {
    // Only now: most sessions load no extension, and the compiler is not small.
    const { createJiti } = await import("jiti");
    const adapter = await options.adapter?.();
    const scripts = scriptTexts(file);
    const needs = adapter?.needs(scripts) ?? "nothing";
    const adapted = needs === "nothing" ? {} : await adapter?.modules();
    const jiti = createJiti(import.meta.url, {
      tryNative: false,
      moduleCache: false,
      fsCache: options.cacheDir ?? false,
      virtualModules: {
        ...(await sharedModules(options, scripts, adapted)),
        ...adapted,
      },
      // An installed Bough that an extension finds on its own is loaded as Node does it, so it is there once.
      nativeModules: ["bough"],
    });
    const factory: unknown = await jiti.import(file, { default: true });
    if (typeof factory !== "function") return { kind: "failed", message: "it does not export a function by default" };
    const ours = needs === "everything" ? await adapter?.adapt(factory as (api: never) => unknown) : undefined;
    return { kind: "loaded", factory: ours ?? (factory as ExtensionFactory) };
  } catch (error) {
    return { kind: "failed", message: errorText(error) };
  }
}

async function sharedModules(
  { modules }: ImportOptions,
  scripts: readonly string[],
  adapted: SharedModules = {},
): Promise<SharedModules | undefined> {
  if (typeof modules !== "function") return modules;
  const imported = importedModules(scripts);
  return modules(imported === "unknown" ? imported : imported.filter((name) => !Object.hasOwn(adapted, name)));
}
