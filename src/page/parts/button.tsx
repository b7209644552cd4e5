import type { ComponentProps } from 'react';

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** Work is under way: the button says so and does nothing. */
  readonly isBusy?: boolean;
}

export function Button({
  look = 'plain',
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
      className={['button', `button-${look}`, className].filter(Boolean).join(' ')}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy}
    >
      {children}
    </button>
  );
}
