/** Where a page of items ends: opaque to clients, and still right when items came or went in between. */

/** Items that come after the key, or those that end before it. */
export interface ItemCursor {
  readonly direction: 'after' | 'before';
  readonly key: string;
}

export function writeCursor({ direction, key }: ItemCursor): string {
  return Buffer.from(`${direction} ${key}`).toString('base64url');
}

export function readCursor(text: string): ItemCursor | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined;
  const [, direction, key] = /^(after|before) (.+)$/s.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (direction === undefined || key === undefined) return undefined;
  return { direction: direction as ItemCursor['direction'], key };
}
