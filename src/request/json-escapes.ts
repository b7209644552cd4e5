/** Decodes the escapes of JSON strings, wherever in a document they are: `\u0027` hides a quote from every pattern. */
const escape = /\\(?:(?:u[0-9A-Fa-f]{4})(?:\\u[0-9A-Fa-f]{4})*|["\\/bfnrt])/g;

/** By its media type or by its first characters: many applications parse JSON whatever its type. */
export function looksLikeJson(mediaType: string, body: string): boolean {
  return /[/+]json$/.test(mediaType) || /^\s{0,64}[[{"]/.test(body);
}

/** Takes and returns binary strings: escapes of characters beyond ASCII become UTF-8. The time is linear. */
export function decodeJsonEscapes(body: string): string {
  return body.replaceAll(escape, (escaped) =>
    Buffer.from(JSON.parse(`"${escaped}"`) as string, 'utf8').toString('latin1'),
  );
}
