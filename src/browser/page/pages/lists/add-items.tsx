/** Pasting many items at once: in addition to existing ones, or instead of them. */
import { useState } from 'react';
import { ApiError } from '#client';
import { describeError } from '../../api/api-error.ts';
import { client } from '../../api/client.ts';
import { Check, TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import type { BulkWork } from './bulk-progress.tsx';
import { examples, formatItems, type List, type ListNames, type ReadLines, readLines } from './list.ts';

interface AddProps {
  readonly list: List;
  readonly names: ListNames;
  readonly onClose: () => void;
  readonly onWork: (work: BulkWork) => void;
}

export function AddItems({ list, names, onClose, onWork }: AddProps) {
  const [text, setText] = useState('');
  const [isReplacing, setReplacing] = useState(false);
  const read = readLines(text, list.kind);
  const what = formatItems(read.items.length);
  const saving = useWrite({
    write() {
      const path = '/accounts/{account_id}/rules/lists/{list_id}/items';
      const input = { ...names, body: read.items };
      return isReplacing ? client.put(path, input) : client.post(path, input);
    },
    onDone({ result }) {
      const title = isReplacing ? `Replacing all items with ${what}` : `Adding ${what}`;
      onWork({ operationId: result.operation_id, title });
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Add items to $${list.name}`}
      isWide
      action={isReplacing ? `Replace with ${what}` : `Add ${what}`}
      look={isReplacing ? 'danger' : 'primary'}
      work={saving}
      problem={<Problems read={read} error={saving.error} />}
      isIncomplete={read.problems.length > 0 || (read.items.length === 0 && !isReplacing)}
      onSubmit={saving.mutate}
      onClose={onClose}
    >
      <TextField
        label="Items"
        hint="One per line. Text after a # becomes the comment of the item."
        rows={10}
        isCode
        placeholder={examples[list.kind]}
        value={text}
        onChange={setText}
      />
      <Check value={isReplacing} onChange={setReplacing}>
        Replace the {list.num_items.toLocaleString()} items that are in the list now
      </Check>
    </FormDialog>
  );
}

const problemsShownMax = 5;

function Problems({ read, error }: { readonly read: ReadLines; readonly error: unknown }) {
  const problems = [...read.problems, ...(error === null ? [] : listRefusals(error, read))];
  if (problems.length === 0) return null;
  return (
    <div role="alert">
      <ul className="form-error">
        {problems.slice(0, problemsShownMax).map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
        {problems.length > problemsShownMax && <li>and {problems.length - problemsShownMax} more</li>}
      </ul>
    </div>
  );
}

/** The server refers to items, users to lines. */
function listRefusals(error: unknown, { lineOfItem }: ReadLines): readonly string[] {
  if (!(error instanceof ApiError)) return [describeError(error)];
  return error.errors.map(({ message, source }) => {
    const index = /^\/(\d+)/.exec(source?.pointer ?? '')?.[1];
    const line = index === undefined ? undefined : lineOfItem[Number(index)];
    return line === undefined ? message : `Line ${line}: ${message}`;
  });
}
