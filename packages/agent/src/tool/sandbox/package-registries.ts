/** Hosts that package managers download from. A question about one of them can offer to allow all. */

/** By language. */
const REGISTRIES = {
  javascript: ["registry.npmjs.org", "registry.yarnpkg.com", "npm.jsr.io", "jsr.io"],
  python: ["pypi.org", "files.pythonhosted.org"],
  rust: ["index.crates.io", "static.crates.io", "crates.io"],
  go: ["proxy.golang.org", "sum.golang.org"],
  ruby: ["rubygems.org", "index.rubygems.org"],
  java: ["repo.maven.apache.org", "repo1.maven.org", "plugins.gradle.org", "services.gradle.org"],
  php: ["repo.packagist.org", "packagist.org"],
  dotnet: ["api.nuget.org"],
  elixir: ["repo.hex.pm", "hex.pm"],
} as const;

/** Hosts of all languages. */
export const packageRegistries: readonly string[] = Object.values(REGISTRIES).flat();

/** Whether a host is a package registry: only these exact names. */
export function isPackageRegistry(host: string): boolean {
  return packageRegistries.includes(host.toLowerCase().replace(/\.$/, ""));
}
