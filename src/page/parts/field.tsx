/** A labelled input with its hint and its error, tied together for screen readers. */
import { Field as BaseField } from '@base-ui/react/field';
import type { ComponentProps, ReactNode } from 'react';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: ReactNode;
}

export function Field({ label, hint, error, children }: FieldProps) {
  return (
    <BaseField.Root className="field" invalid={error !== undefined}>
      <BaseField.Label className="field-label">{label}</BaseField.Label>
      {children}
      {hint !== undefined && <BaseField.Description className="field-hint">{hint}</BaseField.Description>}
      {error !== undefined && (
        <BaseField.Error match className="field-error">
          {error}
        </BaseField.Error>
      )}
    </BaseField.Root>
  );
}

export function TextInput(props: ComponentProps<typeof BaseField.Control>) {
  return <BaseField.Control className="input" {...props} />;
}

export function Select({ children, ...others }: ComponentProps<'select'>) {
  return <BaseField.Control className="input" render={<select {...others}>{children}</select>} />;
}
