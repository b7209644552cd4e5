/** Undoing the escapes of JSON strings, wherever in a document they stand: `\u0027` hides a quote from every pattern. */
const escape = /\\(?:(?:u[0-9A-Fa-f]{4})(?:\\u[0-9A-Fa-f]{4})*|["\\/bfnrt])/g;

/** By its type, or by how it begins: many applications read JSON of any type. */
export function looksLikeJson(mediaType: string, body: string): boolean {
  return /[/+]json$/.test(mediaType) || /^\s{0,64}[[{"]/.test(body);
}

/** Takes and gives binary strings: what stands for other characters than ASCII becomes their UTF-8. Time is linear. */
export function withoutJsonEscapes(body: string): string {
  return body.replaceAll(escape, (escaped) =>
    Buffer.from(JSON.parse(`"${escaped}"`) as string, 'utf8').toString('latin1'),
  );
}
