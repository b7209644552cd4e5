/** Quotes a text like Rust's `{:?}` in wirefilter's messages: in double quotes, with control characters escaped. */
export function quoteText(text: string): string {
  const escaped = text.replaceAll(/["\\\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    const short = shortEscapes.get(character);
    return short ?? `\\u{${character.codePointAt(0)!.toString(16)}}`;
  });
  return `"${escaped}"`;
}

const shortEscapes = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\0', '\\0'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
]);
