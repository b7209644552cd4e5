/** The end of a page of items: opaque to clients, and still valid after items were added or removed. */

/** The items after the key, or those before it. */
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
