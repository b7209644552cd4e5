/** A dialog that keeps the keyboard inside and gives the focus back. */
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { getSessionState } from '../api/session.ts';
import { Button, type ButtonProps } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly isWide?: boolean;
}

export function Dialog({ title, isOpen, onClose, children, isWide = false }: DialogProps) {
  // The dialog that signs in again stands above: what is done there must not close this one.
  const close = (open: boolean): void => {
    if (!open && getSessionState().kind !== 'ended') onClose();
  };
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={close}>
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
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  /** What the button says: the action, not "OK". */
  readonly action: string;
  readonly look?: ButtonProps['look'];
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
}

export function Confirm(props: ConfirmProps) {
  const {
    title,
    isOpen,
    onClose,
    onConfirm,
    action,
    look = 'danger',
    isBusy = false,
    isDisabled,
    children,
  } = props;
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <div className="dialog-body">{children}</div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button look={look} onClick={onConfirm} isBusy={isBusy} disabled={isDisabled}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
