/** Reads the body of a response, up to a size that it can reasonably have, so that an endless answer ends. */
export async function boundedText(response: Response, most: number): Promise<string | undefined> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    chunks.push(read.value);
    size += read.value.length;
    if (size <= most) continue;
    await reader?.cancel();
    return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
}
