import type { ComponentProps } from 'react';
import { joinClasses } from './join-classes.ts';

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet' | 'link';
  readonly size?: 'small';
  /** Work is in progress: the button shows that and does nothing. */
  readonly isBusy?: boolean;
}

export function Button({
  look = 'plain',
  size,
  isBusy = false,
  className,
  disabled,
  children,
  ...others
}: ButtonProps) {
  return (
    <button
      type="button"
      {...others}
      className={joinClasses('button', `button-${look}`, size && `button-${size}`, className)}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy}
    >
      {children}
    </button>
  );
}
