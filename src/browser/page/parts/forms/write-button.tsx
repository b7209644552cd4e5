/** Buttons that send a change: at once, or after a confirmation. */
import type { ReactNode } from 'react';
import { Button, type ButtonProps } from '../button.tsx';
import { Confirm, DialogButton } from './dialog.tsx';
import { Switch } from './switch.tsx';
import { useWrite, type WriteOptions } from './use-write.ts';

type WriteWork<Answer> = Pick<WriteOptions<void, Answer>, 'write' | 'done' | 'failed' | 'onDone'>;

type WriteButtonProps<Answer> = Omit<ButtonProps, 'onClick' | 'isBusy'> & WriteWork<Answer>;

export function WriteButton<Answer>({ write, done, failed, onDone, ...button }: WriteButtonProps<Answer>) {
  const work = useWrite({ write, done, failed, onDone });
  return <Button {...button} isBusy={work.isPending} onClick={() => work.mutate()} />;
}

interface WriteSwitchProps<Answer> extends Omit<WriteOptions<boolean, Answer>, 'onRead' | 'inTurn'> {
  readonly label: string;
  readonly isOn: boolean;
}

/** Shows the new state while it is sent. */
export function WriteSwitch<Answer>({ label, isOn, ...options }: WriteSwitchProps<Answer>) {
  const work = useWrite(options);
  return <Switch label={label} isOn={work.isPending ? work.variables : isOn} onChange={work.mutate} />;
}

interface ConfirmQuestion {
  readonly label: string;
  readonly title: string;
  readonly action: string;
  /** The text that must be typed if the action is irreversible. */
  readonly typed?: string;
  /** A hint for the button. */
  readonly hint?: string | undefined;
  /** The consequences. */
  readonly children: ReactNode;
}

type ConfirmButtonProps<Answer> = Omit<ButtonProps, 'children' | 'title'> &
  ConfirmQuestion &
  WriteWork<Answer>;

export function ConfirmButton<Answer>(props: ConfirmButtonProps<Answer>) {
  const { label, title, action, typed, hint, children, write, done, failed, onDone, ...button } = props;
  const { look = 'danger' } = button;
  const work = useWrite({ write, done, failed, onDone });
  return (
    <DialogButton {...button} label={label} look={look} title={hint}>
      {(close) => (
        <Confirm
          {...{ title, action, typed }}
          look={look === 'primary' ? 'primary' : 'danger'}
          isBusy={work.isPending}
          onClose={close}
          onConfirm={() => work.mutate(undefined, { onSettled: close })}
        >
          {children}
        </Confirm>
      )}
    </DialogButton>
  );
}

interface DeleteButtonProps<Answer> extends Partial<WriteWork<Answer>>, Pick<ButtonProps, 'size' | 'look'> {
  /** Its kind: "pool". */
  readonly what: string;
  /** The row, in words that follow "Delete": "the pool primary". */
  readonly which: string;
  readonly action?: string;
  readonly write: () => Promise<Answer>;
  readonly children: ReactNode;
}

/** Deletes one row of a table. */
export function DeleteButton<Answer>({ what, which, ...others }: DeleteButtonProps<Answer>) {
  return (
    <ConfirmButton
      label="Delete"
      size="small"
      aria-label={`Delete ${which}`}
      title={`Delete this ${what}?`}
      action={`Delete ${what}`}
      done={`The ${what} is deleted`}
      failed={`The ${what} was not deleted`}
      {...others}
    />
  );
}
