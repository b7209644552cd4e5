/** Pasting many items at once: in addition to those there are, or in their place. */
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ApiError } from '#client';
import { describeError } from '../../api/api-error.ts';
import { client } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import type { BulkWork } from './bulk-progress.tsx';
import { kinds, type List, type ListNames, type ReadLines, readLines } from './list.ts';

interface AddProps {
  readonly list: List;
  readonly names: ListNames;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onWork: (work: BulkWork) => void;
}

export function AddItems({ isOpen, ...others }: AddProps) {
  return (
    <Dialog title={`Add items to $${others.list.name}`} isOpen={isOpen} onClose={others.onClose} isWide>
      <Content {...others} />
    </Dialog>
  );
}

function Content({ list, names, onClose, onWork }: Omit<AddProps, 'isOpen'>) {
  const [text, setText] = useState('');
  const [isReplacing, setReplacing] = useState(false);
  const read = readLines(text, list.kind);
  const items = '/accounts/{account_id}/rules/lists/{list_id}/items';
  const count = read.items.length;
  const saving = useMutation({
    mutationFn: () =>
      isReplacing
        ? client.put(items, { ...names, body: read.items })
        : client.post(items, { ...names, body: read.items }),
    onSuccess({ result }) {
      const what = formatItems(count);
      onWork({
        operationId: result.operation_id,
        title: isReplacing ? `Replacing all items by ${what}` : `Adding ${what}`,
      });
      onClose();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field label="Items" hint="One on each line. What follows a # is kept as the comment of the item.">
        <TextInput
          render={<textarea rows={10} spellCheck={false} />}
          className="input mono"
          placeholder={kinds[list.kind].example}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <label className="lists-check">
        <input
          type="checkbox"
          checked={isReplacing}
          onChange={(event) => setReplacing(event.target.checked)}
        />
        Replace the {list.num_items.toLocaleString()} items that are in the list now
      </label>
      <Problems read={read} error={saving.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look={isReplacing ? 'danger' : 'primary'}
          isBusy={saving.isPending}
          disabled={read.problems.length > 0 || (count === 0 && !isReplacing)}
        >
          {isReplacing ? `Replace by ${formatItems(count)}` : `Add ${formatItems(count)}`}
        </Button>
      </div>
    </form>
  );
}

const problemsShownMax = 5;

function Problems({ read, error }: { readonly read: ReadLines; readonly error: unknown }) {
  const problems = [...read.problems, ...(error === null ? [] : listRefusals(error, read))];
  if (problems.length === 0) return null;
  return (
    <div role="alert">
      <ul className="form-error lists-problems">
        {problems.slice(0, problemsShownMax).map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
        {problems.length > problemsShownMax && <li>and {problems.length - problemsShownMax} more</li>}
      </ul>
    </div>
  );
}

/** The server points at an item; people count lines. */
function listRefusals(error: unknown, { lineOfItem }: ReadLines): readonly string[] {
  if (!(error instanceof ApiError)) return [describeError(error)];
  return error.errors.map(({ message, source }) => {
    const index = /^\/(\d+)/.exec(source?.pointer ?? '')?.[1];
    const line = index === undefined ? undefined : lineOfItem[Number(index)];
    return line === undefined ? message : `Line ${line}: ${message}`;
  });
}

function formatItems(count: number): string {
  return count === 1 ? '1 item' : `${count.toLocaleString()} items`;
}
