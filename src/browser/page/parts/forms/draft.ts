/**
 * What somebody is editing. It begins as what the server has, and stays what was typed whatever happens elsewhere: if
 * somebody else changes what it was made from, it is outdated and says so, and only the person who edits decides what
 * happens to it. With a key it is kept in this tab, so that a session that ends or a page that is loaded again loses
 * nothing.
 */
import { useState } from 'react';
import { isSame } from '../../api/guarded-write.ts';
import { type Bind, bindTo } from './fields.ts';

export interface Draft<Value, Saved> {
  readonly value: Value;
  /** What the server had when the editing began. */
  readonly base: Saved;
  readonly isEdited: boolean;
  /** Somebody else has changed it since. */
  readonly isOutdated: boolean;
  /** It was typed before this page was loaded. */
  readonly isRestored: boolean;
  readonly change: (part: Partial<Value>) => void;
  readonly bind: Bind<Value>;
  /** Gives up what was typed, and shows what the server has. */
  readonly discard: () => void;
  /**
   * The server has taken this value: what it has next in place of `base` is not somebody else's. A form that is opened again
   * before that was read knows it, too.
   */
  readonly accept: (sent: Value) => void;
  /** What was saved with this value was read again. What was typed since stays, as an edit of that. */
  readonly finish: (sent: Value) => void;
  /** Keeps what was typed, as an edit of what the server has now. */
  readonly keep: (now?: Saved) => void;
}

interface DraftOptions<Value, Saved> {
  /** What the form shows of what the server has. */
  readonly read: (saved: Saved) => Value;
  /** What of it the form is about; all of it if not given. */
  readonly pick?: (saved: Saved) => unknown;
  /** What two drafts are compared by, if not by everything. */
  readonly compare?: (value: Value) => unknown;
  readonly key?: string;
}

interface Edits<Value, Saved> {
  readonly value: Value;
  readonly base: Saved;
  /** What the server has next in place of `base` is what was saved from here. */
  readonly isSaved?: true;
}

export function useDraft<Value extends object, Saved>(
  saved: Saved,
  { read, pick = same, compare = same, key }: DraftOptions<Value, Saved>,
): Draft<Value, Saved> {
  const [edits, setEdits] = useState(() => load<Value, Saved>(key));
  const [isRestored] = useState(edits !== undefined);
  if (edits?.isSaved === true && !isSame(pick(edits.base), pick(saved)))
    setEdits(store(key, { value: edits.value, base: saved }));
  const current = edits ?? { value: read(saved), base: saved };
  const edit = (next: (before: Edits<Value, Saved>) => Edits<Value, Saved>): void =>
    setEdits((before) => store(key, next(before ?? current)));
  const change = (part: Partial<Value>): void =>
    edit(({ value, ...before }) => ({ ...before, value: { ...value, ...part } }));
  return {
    value: current.value,
    base: current.base,
    isEdited: edits !== undefined && !isSame(compare(edits.value), compare(read(edits.base))),
    isOutdated: edits !== undefined && !isSame(pick(edits.base), pick(saved)),
    isRestored: isRestored && edits !== undefined,
    change,
    bind: bindTo(current.value, change),
    discard: () => setEdits(store(key, undefined)),
    accept(sent) {
      setEdits((before) => before && { ...before, isSaved: true });
      // Also if the form is gone soon, where React does not ask what it had before.
      const kept = leaveUnlessSent(load<Value, Saved>(key), sent);
      store(key, kept && { ...kept, isSaved: true });
    },
    finish(sent) {
      setEdits((before) => leaveUnlessSent(before, sent));
      store(key, leaveUnlessSent(load<Value, Saved>(key), sent));
    },
    keep: (now = saved) => edit(({ value }) => ({ value, base: now })),
  };
}

/** What was typed since it was saved with this value. */
function leaveUnlessSent<Value, Saved>(
  edits: Edits<Value, Saved> | undefined,
  sent: Value,
): Edits<Value, Saved> | undefined {
  return edits !== undefined && isSame(edits.value, sent) ? undefined : edits;
}

function same(value: unknown): unknown {
  return value;
}

function load<Value, Saved>(key: string | undefined): Edits<Value, Saved> | undefined {
  if (key === undefined) return undefined;
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(key)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

function store<Kept>(key: string | undefined, edits: Kept): Kept {
  if (key !== undefined && edits === undefined) sessionStorage.removeItem(nameOf(key));
  else if (key !== undefined) sessionStorage.setItem(nameOf(key), JSON.stringify(edits));
  return edits;
}

function nameOf(key: string): string {
  return `gatehouse-draft:${key}`;
}
