/**
 * A value that is only a frame around another: an element for code, a fence of Markdown, quotes, an indentation. The
 * sender chooses it, so its content is read as if it stood alone.
 */

/** The opening and closing marks of a frame; the closing mark of an element is its own name. */
const opening =
  /^(?:<(pre|code|samp|kbd|xmp|p)\b[^<>]{0,120}>|<ac:plain-text-body>(?:<!\[CDATA\[)?|\[code\b[^[\]]{0,80}\]|\{(?:code|noformat)(?::[^{}\n]{0,80})?\}|```(?:[\w+-]{0,20}\r?\n)?|~~~(?:[\w+-]{0,20}\r?\n)?|["'`]|\xe2\x80[\x98\x9c])/i;
const closing =
  /(?:<\/(pre|code|samp|kbd|xmp|p)>|(?:\]\]>)?<\/ac:plain-text-body>|\[\/code\]|\{(?:code|noformat)\}|```|~~~|["'`]|\xe2\x80[\x99\x9d])$/i;

/** The longest closing mark. */
const closingCharactersMax = 32;

/** The text in the frame; undefined if the text is not framed. */
export function removeFrame(text: string): string | undefined {
  const inner = text.trim();
  const open = opening.exec(inner)?.[0].length ?? 0;
  if (open === 0) return inner === text || inner === '' ? undefined : inner;
  const tail = inner.slice(Math.max(open, inner.length - closingCharactersMax));
  const close = closing.exec(tail)?.[0].length ?? 0;
  return close === 0 ? undefined : inner.slice(open, inner.length - close);
}
