/** Short messages about completed actions, at the edge of the window; screen readers announce them. */
import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { describeError } from '../api/api-error.ts';

const manager = Toast.createToastManager();

export function tell(title: string, description?: string): void {
  manager.add({ title, ...(description === undefined ? {} : { description }), type: 'success' });
}

/** For an action that reduces protection: it is shown longer, with an undo button. */
export function showWithUndo(title: string, description: string, undo: () => void): void {
  const id = manager.add({
    title,
    description,
    type: 'warning',
    timeout: 30_000,
    actionProps: {
      children: 'Undo',
      onClick: () => {
        manager.close(id);
        undo();
      },
    },
  });
}

export function showError(title: string, error: unknown): void {
  manager.add({ title, description: describeError(error), type: 'error', timeout: 15_000 });
}

export function Toasts({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={`toast toast-${toast.type}`}>
      <Toast.Content>
        <Toast.Title className="toast-title" />
        <Toast.Description className="toast-text" />
        <Toast.Action className="button button-small" />
      </Toast.Content>
      <Toast.Close className="button button-quiet toast-close" aria-label="Close">
        ×
      </Toast.Close>
    </Toast.Root>
  ));
}
