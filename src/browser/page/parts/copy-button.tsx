/** A button that copies a text. */
import { Button } from './button.tsx';
import { tell } from './toasts.tsx';

interface CopyButtonProps {
  readonly label: string;
  readonly text: () => string;
}

export function CopyButton({ label, text }: CopyButtonProps) {
  const copy = async (): Promise<void> => {
    const copied = text();
    if (await copyText(copied)) tell('Copied');
    else tell('The browser does not allow copying here. Select and copy this:', copied);
  };
  return <Button onClick={() => void copy()}>{label}</Button>;
}

/**
 * Returns whether the browser has allowed it. There is no clipboard on a page that was loaded over plain HTTP from
 * another machine.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
