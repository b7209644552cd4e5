import { TextField } from '../../parts/forms/field.tsx';

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The reason for a change. */
export function ReasonField(props: ReasonFieldProps) {
  return (
    <TextField
      label="Why (for the history)"
      hint="Stored in the audit log with your name; not part of the rule."
      maxLength={500}
      {...props}
    />
  );
}
