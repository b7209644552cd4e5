/** Saves a draft without overwriting concurrent changes of others, and reports such conflicts. */
import { useRef } from 'react';
import type { Envelope } from '#client';
import { describeError } from '../../api/api-error.ts';
import { lookUp } from '../../api/client.ts';
import { isSame, type SeenVersion, writeUnlessChanged } from '../../api/guarded-write.ts';
import { Button } from '../button.tsx';
import type { Draft } from './draft.ts';
import { FormError } from './form.tsx';
import { useReadAgain, useWrite, type WriteOptions } from './use-write.ts';

/** Another user saved first. Nothing was written. */
export class ChangedElsewhere<Saved = unknown> extends Error {
  override readonly name = 'ChangedElsewhere';
  /** The other user's state; undefined if they deleted it. */
  readonly theirs: Saved | undefined;

  constructor(what: string, theirs: Saved | undefined) {
    super(`Someone else has ${theirs === undefined ? 'deleted' : 'changed'} ${what} since you opened it.`);
    this.theirs = theirs;
  }
}

interface Guard<Saved> {
  /** Reads the server's current state. */
  readonly read: () => Promise<Envelope<Saved>>;
  /** What the reader saw. */
  readonly base: Saved;
  readonly pick?: ((saved: Saved) => unknown) | undefined;
  /** Its name. */
  readonly what?: string | undefined;
}

/** Sends the change unless the server's state differs from what the reader saw. */
export function writeIfSame<Saved, Answer>(
  { read, base, pick = (saved) => saved, what = 'this' }: Guard<Saved>,
  write: (version: SeenVersion) => Promise<Answer>,
): Promise<Answer> {
  return writeUnlessChanged(async () => {
    const { result, version } = await lookUp(read());
    if (result === undefined || !isSame(pick(result), pick(base))) throw new ChangedElsewhere(what, result);
    return version;
  }, write);
}

export interface SaveOptions<Value, Saved, Answer> {
  /** Reads the server's current state; undefined for something new. */
  readonly read?: (() => Promise<Envelope<NonNullable<Saved>>>) | undefined;
  readonly pick?: ((saved: NonNullable<Saved>) => unknown) | undefined;
  readonly what?: string | undefined;
  /** `base` is undefined if it does not exist. */
  readonly write: (
    value: Value,
    base: NonNullable<Saved> | undefined,
    version: SeenVersion,
  ) => Promise<Answer>;
  readonly done?: WriteOptions<unknown, Answer>['done'];
  readonly onDone?: ((answer: Answer) => unknown) | undefined;
}

export function useSave<Value, Saved, Answer>(
  draft: Draft<Value, Saved>,
  { read, pick, what, write, done, onDone }: SaveOptions<Value, Saved, Answer>,
) {
  const readAgain = useReadAgain();
  const sent = useRef(draft.value);
  const saving = useWrite<Saved | undefined, Answer>({
    write(base) {
      sent.current = draft.value;
      return read === undefined || base == null
        ? write(draft.value, undefined, undefined)
        : writeIfSame({ read, base, pick, what }, (version) => write(draft.value, base, version));
    },
    done,
    onDone(answer) {
      draft.accept(sent.current);
      return onDone?.(answer);
    },
    onRead: () => draft.finish(sent.current),
  });
  const { error, isPending } = saving;
  const conflict = error instanceof ChangedElsewhere ? (error as ChangedElsewhere<Saved>) : undefined;
  return {
    isPending,
    error,
    conflict,
    draft,
    save: () => saving.mutate(draft.base),
    /** Continues with the other user's state as the base, and the typed input. */
    overwrite(): void {
      draft.keep(conflict?.theirs);
      saving.mutate(conflict?.theirs);
    },
    async takeTheirs(): Promise<void> {
      await readAgain();
      draft.discard();
      saving.reset();
    },
  };
}

/** The result of saving a draft. */
interface Saving {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly conflict: { readonly message: string; readonly theirs: unknown } | undefined;
  readonly draft: OutdatedProps['draft'] & { readonly isOutdated: boolean };
  readonly overwrite: () => void;
  readonly takeTheirs: () => Promise<void>;
}

interface SaveProblemProps {
  readonly saving: Saving;
  /** The other user's changes. */
  readonly changes?: readonly string[];
}

/** Why nothing was saved, or why it should not be. */
export function SaveProblem({ saving, changes = [] }: SaveProblemProps) {
  const { isPending, conflict, error, draft } = saving;
  if (isPending) return null;
  if (conflict === undefined && draft.isOutdated) return <Outdated draft={draft} />;
  if (conflict === undefined)
    return error === null ? null : <FormError>Not saved: {describeError(error)}</FormError>;
  return (
    <div className="note note-warn" role="alert">
      <p>
        <strong>{conflict.message}</strong> {kept}
      </p>
      {changes.length > 0 && (
        <ul>
          {changes.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
      <div className="row">
        {conflict.theirs != null && (
          <Button size="small" onClick={() => void saving.takeTheirs()}>
            Show theirs
          </Button>
        )}
        <Button size="small" look="danger" onClick={saving.overwrite}>
          {conflict.theirs == null ? 'Create it again' : 'Save mine over it'}
        </Button>
      </div>
    </div>
  );
}

const kept = 'Nothing was saved, and what you typed is still here.';

interface OutdatedProps {
  readonly draft: { readonly keep: () => void; readonly discard: () => void };
}

/** Another user saved before this one has tried to. */
export function Outdated({ draft }: OutdatedProps) {
  return (
    <div className="note note-warn" role="alert">
      <p>
        <strong>Someone else has changed this since you began to edit it.</strong> {kept}
      </p>
      <div className="row">
        <Button size="small" onClick={draft.discard}>
          Show theirs
        </Button>
        <Button size="small" onClick={() => draft.keep()}>
          Keep mine
        </Button>
      </div>
    </div>
  );
}
