/**
 * The state of an edit. It starts with the server's state, and keeps the typed input whatever happens elsewhere: if
 * another user changes its base, it becomes outdated and reports that, and only the editing user decides what happens
 * to it. With a key it is stored in this tab, so that neither the end of a session nor a reload loses anything.
 */
import { useState } from 'react';
import { isSame } from '../../api/guarded-write.ts';
import { type Bind, bindTo } from './fields.ts';

export interface Draft<Value, Saved> {
  readonly value: Value;
  /** The server's state when editing began. */
  readonly base: Saved;
  readonly isEdited: boolean;
  /** Another user has changed it since. */
  readonly isOutdated: boolean;
  /** It was typed before this page was loaded. */
  readonly isRestored: boolean;
  readonly change: (part: Partial<Value>) => void;
  readonly bind: Bind<Value>;
  /** Discards the typed input, and shows the server's state. */
  readonly discard: () => void;
  /**
   * The server has accepted this value: its next state after `base` is not another user's change. This also holds for a
   * form that is opened again before that state was read.
   */
  readonly accept: (sent: Value) => void;
  /** The state that was saved with this value was read again. Later input is kept, as an edit of that state. */
  readonly finish: (sent: Value) => void;
  /** Keeps the typed input, as an edit of the server's current state. */
  readonly keep: (now?: Saved) => void;
}

interface DraftOptions<Value, Saved> {
  /** Converts the server's state to the value of the form. */
  readonly read: (saved: Saved) => Value;
  /** The part of it that the form edits; by default all of it. */
  readonly pick?: ((saved: Saved) => unknown) | undefined;
  /** The property by which two drafts are compared; by default everything. */
  readonly compare?: (value: Value) => unknown;
  readonly key?: string;
}

interface Edits<Value, Saved> {
  readonly value: Value;
  readonly base: Saved;
  /** The server's next state after `base` was saved from here. */
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
      // Also if the form is unmounted soon, where React does not call the update function.
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

/** The input since it was saved with this value. */
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
