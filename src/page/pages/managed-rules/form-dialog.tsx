/** A form in a dialog. What was typed stays when saving fails, and the reason stands above the buttons. */
import type { ReactNode } from 'react';
import { describeError } from '../../api/api-error.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly isIncomplete?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { title, action, error, isBusy, isIncomplete = false, onSubmit, onClose, children } = props;
  return (
    <Dialog title={title} isOpen isWide onClose={onClose}>
      <form
        className="dialog-body"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        {error !== null && (
          <p className="form-error managed-rules-error" role="alert">
            {describeError(error)}
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" isBusy={isBusy} disabled={isIncomplete}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
