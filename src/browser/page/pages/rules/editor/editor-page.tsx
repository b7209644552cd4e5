/** Shared by the editors of rules and filters. Typed input stays in this tab until it is saved. */
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../../../parts/button.tsx';
import { PageHead } from '../../../parts/page-head.tsx';
import { SaveProblem } from '../../../parts/forms/save.tsx';
import { Failed } from '../../../parts/reading/states.tsx';

interface EditorPageProps {
  readonly title: string;
  readonly about: string;
  readonly saving: ComponentProps<typeof SaveProblem>['saving'] & {
    readonly draft: { readonly isRestored: boolean; readonly discard: () => void };
    readonly save: () => void;
  };
  /** Concurrent changes by others. */
  readonly changes?: readonly string[];
  readonly isReady: boolean;
  readonly action: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function EditorPage(props: EditorPageProps) {
  const { title, about, saving, changes = [], isReady, action, onClose, children } = props;
  const leave = (): void => {
    saving.draft.discard();
    onClose();
  };
  return (
    <>
      <PageHead title={title} about={about} />
      {saving.draft.isRestored && <p className="note">Your unsaved changes are restored.</p>}
      <div className="stack">
        {children}
        <div className="save-bar">
          <div className="grow">
            <SaveProblem saving={saving} changes={changes} />
          </div>
          <Button onClick={leave}>Discard</Button>
          <Button look="primary" isBusy={saving.isPending} disabled={!isReady} onClick={saving.save}>
            {action}
          </Button>
        </div>
      </div>
    </>
  );
}

interface NotThereProps {
  /** The title of the page. */
  readonly title: string;
  readonly what: 'rule' | 'filter';
  readonly onClose: () => void;
}

export function NotThere({ title, what, onClose }: NotThereProps) {
  return (
    <>
      <PageHead title={title}>
        <Button onClick={onClose}>Back to the {what}s</Button>
      </PageHead>
      <Failed error={new Error(`This ${what} does not exist. It may have been deleted.`)} />
    </>
  );
}
