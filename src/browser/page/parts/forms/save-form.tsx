/** Forms of something that is stored, or is to be: the typed input is a draft, which never overwrites unseen changes. */
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { type Draft, useDraft } from './draft.ts';
import type { Bind } from './fields.ts';
import { Form, type FormProps } from './form.tsx';
import { type SaveOptions, SaveProblem, useSave } from './save.tsx';

interface SaveFormProps<Value, Saved, Answer>
  extends Pick<FormProps, 'action' | 'look' | 'onCancel'>, SaveOptions<Value, Saved, Answer> {
  /** The server's state; undefined for something new. */
  readonly saved: Saved;
  readonly toFields: (saved: Saved) => Value;
  /** By default, while nothing was edited. */
  readonly isIncomplete?: ((value: Value) => boolean) | undefined;
  /** Describes what another user has changed. */
  readonly describe?: (theirs: NonNullable<Saved>) => string;
  readonly children: (bind: Bind<Value>, draft: Draft<Value, Saved>) => ReactNode;
}

export function SaveForm<Value extends object, Saved, Answer>(props: SaveFormProps<Value, Saved, Answer>) {
  const { saved, toFields, isIncomplete, describe, children, action, look, onCancel, ...options } = props;
  const { pick } = options;
  const draft = useDraft<Value, Saved>(saved, {
    read: toFields,
    pick: pick && ((state) => (state == null ? state : pick(state))),
  });
  const saving = useSave(draft, options);
  const theirs = saving.conflict?.theirs;
  return (
    <Form
      {...{ action, look, onCancel }}
      work={saving}
      problem={<SaveProblem saving={saving} changes={theirs && describe ? [describe(theirs)] : []} />}
      isIncomplete={isIncomplete === undefined ? !draft.isEdited : isIncomplete(draft.value)}
      onSubmit={saving.save}
    >
      {children(draft.bind, draft)}
    </Form>
  );
}

interface SaveDialogProps<Value, Saved, Answer> extends Omit<
  SaveFormProps<Value, Saved, Answer>,
  'onCancel'
> {
  readonly title: string;
  readonly isWide?: boolean;
  readonly onClose: () => void;
}

/** It closes when its content is saved. */
export function SaveDialog<Value extends object, Saved, Answer>(
  props: SaveDialogProps<Value, Saved, Answer>,
) {
  const { title, isWide = false, onClose, ...form } = props;
  return (
    <Dialog title={title} isWide={isWide} onClose={onClose}>
      <SaveForm isIncomplete={() => false} onDone={onClose} {...form} onCancel={onClose} />
    </Dialog>
  );
}
