/** Forms. Typed input is kept when saving fails, and the reason is shown above the buttons. */
import { Form as BaseForm } from '@base-ui/react/form';
import type { ReactNode } from 'react';
import { describeError } from '../../api/api-error.ts';
import { Button, type ButtonProps } from '../button.tsx';
import { Dialog } from './dialog.tsx';
import { type Bind, useFields } from './fields.ts';
import { useWrite, type WriteOptions } from './use-write.ts';

export interface FormProps {
  /** The label of the button: the action, not "OK". */
  readonly action: string;
  readonly look?: ButtonProps['look'] | undefined;
  readonly work: { readonly isPending: boolean; readonly error?: Error | null };
  /** The failed action: shown before the reason. */
  readonly failed?: string | undefined;
  /** Replaces the reason. */
  readonly problem?: ReactNode;
  readonly isIncomplete?: boolean;
  readonly onSubmit: () => void;
  readonly onCancel?: (() => void) | undefined;
  /** The label of the button that closes the form. */
  readonly cancel?: string;
  readonly children: ReactNode;
}

export function Form(props: FormProps) {
  const { action, look = 'primary', work, failed, problem, isIncomplete = false, children } = props;
  const { onSubmit, onCancel, cancel = 'Cancel' } = props;
  return (
    <BaseForm className="stack" onFormSubmit={() => onSubmit()}>
      {children}
      {problem ??
        (work.error != null && (
          <FormError>
            {failed} {describeError(work.error)}
          </FormError>
        ))}
      <div className="dialog-actions">
        {onCancel !== undefined && <Button onClick={onCancel}>{cancel}</Button>}
        <Button type="submit" look={look} isBusy={work.isPending} disabled={isIncomplete}>
          {action}
        </Button>
      </div>
    </BaseForm>
  );
}

/** A caret may point at a place of the line above, which needs a monospaced font. */
export function FormError({ children }: { readonly children: ReactNode }) {
  return (
    <p className="form-error" role="alert">
      {children}
    </p>
  );
}

interface FormDialogProps extends Omit<FormProps, 'onCancel'> {
  readonly title: string;
  readonly isWide?: boolean;
  readonly onClose: () => void;
}

export function FormDialog({ title, isWide = false, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} isWide={isWide} onClose={onClose}>
      <Form {...form} onCancel={onClose} />
    </Dialog>
  );
}

interface WriteFormProps<Value, Answer>
  extends
    Omit<FormProps, 'work' | 'problem' | 'onSubmit' | 'isIncomplete' | 'children'>,
    Pick<WriteOptions<Value, Answer>, 'write' | 'done'> {
  /** The fields before anything was typed. */
  readonly initial: Value | (() => Value);
  readonly isIncomplete?: (value: Value) => boolean;
  readonly onDone?: ((answer: Answer) => unknown) | undefined;
  readonly children: (bind: Bind<Value>, value: Value) => ReactNode;
}

/** Fields, and the one call that sends them. */
export function WriteForm<Value extends object, Answer>(props: WriteFormProps<Value, Answer>) {
  const { initial, isIncomplete, write, done, onDone, children, ...form } = props;
  const { value, bind } = useFields(initial);
  const work = useWrite({ write, done, onDone });
  return (
    <Form
      {...form}
      work={work}
      isIncomplete={isIncomplete?.(value) === true}
      onSubmit={() => work.mutate(value)}
    >
      {children(bind, value)}
    </Form>
  );
}

interface WriteDialogProps<Value, Answer> extends Omit<WriteFormProps<Value, Answer>, 'onCancel'> {
  readonly title: string;
  readonly isWide?: boolean;
  readonly onClose: () => void;
}

/** By default, it closes when it is done. */
export function WriteDialog<Value extends object, Answer>(props: WriteDialogProps<Value, Answer>) {
  const { title, isWide = false, onClose, ...form } = props;
  return (
    <Dialog title={title} isWide={isWide} onClose={onClose}>
      <WriteForm onDone={onClose} {...form} onCancel={onClose} />
    </Dialog>
  );
}
