/** Imports the code of one extension. Runs TypeScript directly, and reads the files again each time. */
import { errorText } from "@bough/session/text/index.js";
import type { ExtensionFactory } from "./extension-api.js";
import { importedModules } from "./load/imported-modules.js";
import { scriptTexts } from "./load/script-texts.js";

type ImportedExtension =
  | { readonly kind: "loaded"; readonly factory: ExtensionFactory }
  | { readonly kind: "failed"; readonly message: string };

export type SharedModules = Readonly<Record<string, unknown>>;

export interface ImportOptions {
  /** A folder for cached compiled code, which makes repeated loads several times faster. */
  readonly cacheDir?: string;
  /**
   * Modules that extensions may import by name and share with Bough. A function is called for each extension with the
   * names its scripts import (except those of the adapter), or with `unknown` if they cannot be determined.
   */
  readonly modules?: SharedModules | ((imported: readonly string[] | "unknown") => Promise<SharedModules>);
  /** For extensions written for another program. Called when an extension loads. */
  readonly adapter?: () => Promise<ExtensionAdapter>;
}

/** Makes extensions written for another program run here. */
export interface ExtensionAdapter {
  /** What an extension needs from the adapter, judged by its scripts: nothing, only its modules, or everything. */
  needs(scripts: readonly string[]): "nothing" | "modules" | "everything";
  /** The modules that the other program offers to extensions, by name. Loaded when an extension needs them. */
  modules(): Promise<SharedModules>;
  /** Converts a factory for the other program's API to one for ours. */
  adapt(factory: (api: never) => unknown): Promise<ExtensionFactory>;
}

export async function importExtension(file: string, options: ImportOptions = {}): Promise<ImportedExtension> {
  try {
    // Imported here, because most sessions load no extension and the compiler is large.
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
      // If an extension resolves an installed Bough, let Node load it, so that there is only one instance.
      nativeModules: ["bough"],
    });
    const factory: unknown = await jiti.import(file, { default: true });
    if (typeof factory !== "function") return { kind: "failed", message: "its default export is not a function" };
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
