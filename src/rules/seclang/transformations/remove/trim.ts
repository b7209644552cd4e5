import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

/** Scanned by hand: a pattern that ends in `$` would scan a run of spaces once for each of them. */
export function trimText(
  value: string,
  { left, right }: { readonly left: boolean; readonly right: boolean },
): string {
  let start = 0;
  let end = value.length;
  if (left) while (start < end && isSpace(value.charCodeAt(start))) start++;
  if (right) while (end > start && isSpace(value.charCodeAt(end - 1))) end--;
  return value.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

export const trim: Transformation = {
  name: 'trim',
  touches: byteKinds.space,
  apply: (value) => trimText(value, { left: true, right: true }),
};
