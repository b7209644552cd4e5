/** A command for the terminal, to copy. */
import { CopyButton } from '../copy-button.tsx';

export function Command({ text }: { readonly text: string }) {
  return (
    <div className="command">
      <code>{text}</code>
      <CopyButton label="Copy" text={() => text} />
    </div>
  );
}
