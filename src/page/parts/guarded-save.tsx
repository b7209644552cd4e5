/** Saving a form that was loaded some time ago, without overwriting what someone else has changed since. */
import type { Envelope } from '#client';
import { describeError } from '../api/api-error.ts';
import { lookUp } from '../api/client.ts';
import { isSame, type Version, writeUnlessChanged } from '../api/guarded-write.ts';
import { Button } from './button.tsx';

class ChangedElsewhere extends Error {
  override readonly name = 'ChangedElsewhere';

  constructor() {
    super('Someone else has changed this since you opened it.');
  }
}

interface Save<Value> {
  /** Asks for what the server has now. */
  readonly read: () => Promise<Envelope<Value>>;
  /** What the form started from. */
  readonly base: Value;
  /** Whether the reader has decided to overwrite what somebody else saved. */
  readonly isForced: boolean;
  /** What of it the form is about; all of it if not given. */
  readonly pick?: (value: Value) => unknown;
}

/** Sends the change unless what the server has is not what the form started from. */
export function saveUnlessChanged<Value, Answer>(
  { read, base, isForced, pick = (value) => value }: Save<Value>,
  write: (version: Version) => Promise<Answer>,
): Promise<Answer> {
  if (isForced) return write(undefined);
  return writeUnlessChanged(async () => {
    const { result, version } = await lookUp(read());
    if (result === undefined || !isSame(pick(result), pick(base))) throw new ChangedElsewhere();
    return version;
  }, write);
}

interface SaveErrorProps {
  readonly error: unknown;
  /** Throws away what was typed, and shows what the other person saved. */
  readonly onLoadTheirs: () => void;
  readonly onSaveAnyway: () => void;
}

export function SaveError({ error, onLoadTheirs, onSaveAnyway }: SaveErrorProps) {
  if (!(error instanceof ChangedElsewhere)) {
    return (
      <p className="form-error" role="alert">
        Not saved. {describeError(error)}
      </p>
    );
  }
  return (
    <div className="note note-warn" role="alert">
      <p>{error.message} Nothing was saved, and what you typed is still here.</p>
      <div className="row">
        <Button className="button-small" onClick={onLoadTheirs}>
          Show theirs
        </Button>
        <Button className="button-small" look="danger" onClick={onSaveAnyway}>
          Save mine over it
        </Button>
      </div>
    </div>
  );
}
