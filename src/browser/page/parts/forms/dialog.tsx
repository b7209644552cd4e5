/** Dialogs that trap the keyboard focus and restore it. */
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { type ReactNode, useState } from 'react';
import { getSessionState } from '../../api/session.ts';
import { Button, type ButtonProps } from '../button.tsx';
import { TextField } from './field.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly isWide?: boolean;
}

/** Open while it is mounted. */
export function Dialog({ title, onClose, children, isWide = false }: DialogProps) {
  // The sign-in dialog is above: interacting with it must not close this one.
  const close = (open: boolean): void => {
    if (!open && getSessionState().kind !== 'ended') onClose();
  };
  return (
    <BaseDialog.Root open onOpenChange={close}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="backdrop" />
        <BaseDialog.Popup className={isWide ? 'dialog dialog-wide' : 'dialog'}>
          <BaseDialog.Title className="dialog-title">{title}</BaseDialog.Title>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  /** The label of the button: the action, not "OK". */
  readonly action: string;
  readonly look?: ButtonProps['look'];
  readonly isBusy?: boolean;
  /** The text that must be typed if the action is irreversible. */
  readonly typed?: string | undefined;
  readonly children: ReactNode;
}

export function Confirm(props: ConfirmProps) {
  const { title, onClose, onConfirm, action, look = 'danger', isBusy = false, typed = '', children } = props;
  const [text, setText] = useState('');
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        {children}
        {typed !== '' && <TextField label={`Type ${typed} to confirm`} value={text} onChange={setText} />}
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button look={look} onClick={onConfirm} isBusy={isBusy} disabled={text.trim() !== typed}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}

interface DialogButtonProps extends Omit<ButtonProps, 'children'> {
  readonly label: string;
  /** The dialog that it opens. */
  readonly children: (close: () => void) => ReactNode;
}

/** A button, and the dialog that it opens. */
export function DialogButton({ label, children, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
