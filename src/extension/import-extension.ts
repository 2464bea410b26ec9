/** Loads one extension's code. TypeScript runs as it is; loading again reads the files again. */
import { errorText } from "../text/index.js";
import type { ExtensionFactory } from "./extension-api.js";

type ImportedExtension =
  | { readonly kind: "loaded"; readonly factory: ExtensionFactory }
  | { readonly kind: "failed"; readonly message: string };

export type SharedModules = Readonly<Record<string, unknown>>;

export interface ImportOptions {
  /** A folder of ours for compiled code: repeat loads are several times faster. */
  readonly cacheDir?: string;
  /** Modules extensions may import by name and share with us. A function is called when the first extension loads. */
  readonly modules?: SharedModules | (() => Promise<SharedModules>);
}

export async function importExtension(file: string, options: ImportOptions = {}): Promise<ImportedExtension> {
  try {
    // Only now: most sessions load no extension, and the compiler is not small.
    const { createJiti } = await import("jiti");
    const jiti = createJiti(import.meta.url, {
      tryNative: false,
      moduleCache: false,
      fsCache: options.cacheDir ?? false,
      virtualModules: { ...(await sharedModules(options)) },
      // An installed Bough that an extension finds on its own is loaded as Node does it, so it is there once.
      nativeModules: ["bough"],
    });
    const factory: unknown = await jiti.import(file, { default: true });
    if (typeof factory === "function") return { kind: "loaded", factory: factory as ExtensionFactory };
    return { kind: "failed", message: "it does not export a function by default" };
  } catch (error) {
    return { kind: "failed", message: errorText(error) };
  }
}

async function sharedModules({ modules }: ImportOptions): Promise<SharedModules | undefined> {
  return typeof modules === "function" ? modules() : modules;
}
