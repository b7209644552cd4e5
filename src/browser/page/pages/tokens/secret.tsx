/** The value of a token: shown once, to be copied. */
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { copyText } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/forms/dialog.tsx';

export interface Secret {
  readonly name: string;
  readonly value: string;
}

const words = {
  shown: ' ',
  copied: 'Copied.',
  refused: 'The browser does not allow copying here. Select the value and copy it.',
} as const;

export function SecretDialog({ secret, onClose }: { readonly secret: Secret; readonly onClose: () => void }) {
  const [state, setState] = useState<keyof typeof words>('shown');
  const copy = async (): Promise<void> => setState((await copyText(secret.value)) ? 'copied' : 'refused');
  return (
    <Dialog title="Copy the token now" onClose={onClose}>
      <div className="stack">
        <p>
          This is the value of <strong>{secret.name}</strong>. It is shown only once: after you close this, it
          cannot be shown again.
        </p>
        <input
          className="input mono"
          aria-label="Value of the token"
          readOnly
          value={secret.value}
          onFocus={(event) => event.target.select()}
        />
        <p role="status" className="soft">
          {words[state]}
        </p>
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>I have it, close</Button>
        <Button look="primary" onClick={() => void copy()}>
          Copy
        </Button>
      </div>
    </Dialog>
  );
}
