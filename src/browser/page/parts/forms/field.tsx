/** Labelled inputs, each with its hint and its error, linked for screen readers. */
import { Field as BaseField } from '@base-ui/react/field';
import type { ComponentProps, ReactNode } from 'react';
import { joinClasses } from '../join-classes.ts';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** The label is beside the input, not above it. */
  readonly isBeside?: boolean;
  readonly children: ReactNode;
}

function Field({ label, hint, error, isBeside = false, children }: FieldProps) {
  return (
    <BaseField.Root className={isBeside ? 'field field-beside' : 'field'} invalid={error !== undefined}>
      <BaseField.Label className="field-label">{label}</BaseField.Label>
      {children}
      {hint !== undefined && <BaseField.Description className="field-hint">{hint}</BaseField.Description>}
      {error === undefined ? (
        <BaseField.Error className="field-error" />
      ) : (
        <BaseField.Error match className="field-error">
          {error}
        </BaseField.Error>
      )}
    </BaseField.Root>
  );
}

type Labelled = Omit<FieldProps, 'children'>;

/** A controlled value. */
interface Edited<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

type ControlProps = Omit<ComponentProps<typeof BaseField.Control>, 'value' | 'onChange'>;

export interface TextFieldProps extends Labelled, Edited<string>, Omit<ControlProps, 'children'> {
  /** Several lines. */
  readonly rows?: number;
  /** In a monospaced font. */
  readonly isCode?: boolean;
}

export function TextField({
  label,
  hint,
  error,
  rows,
  isCode = false,
  onChange,
  ...control
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <BaseField.Control
        autoComplete="off"
        className={joinClasses('input', isCode && 'mono')}
        {...(rows === undefined ? {} : { render: <textarea rows={rows} spellCheck={false} /> })}
        {...control}
        onValueChange={onChange}
      />
    </Field>
  );
}

/** Texts by value; or values that are their own texts. */
type Options<Value extends string> = Readonly<Record<Value, string>> | readonly Value[];

interface ChoiceProps<Value extends string> extends Edited<Value> {
  readonly options?: Options<Value>;
  /** Options before the others. */
  readonly children?: ReactNode;
}

type SelectProps<Value extends string> = ChoiceProps<Value> &
  Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'>;

/** Without its own label: it has an `aria-label`, or is inside a field. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options = [], onChange, children, className, ...others } = props;
  const entries = Array.isArray(options) ? options.map((value) => [value, value]) : Object.entries(options);
  return (
    <select
      className={joinClasses('input', className)}
      onChange={({ target }) => onChange(target.value as Value)}
      {...others}
    >
      {children}
      {entries.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

export function SelectField<Value extends string>(props: Labelled & SelectProps<Value>) {
  const { label, hint, isBeside = false, ...choice } = props;
  return (
    <Field label={label} hint={hint} isBeside={isBeside}>
      <BaseField.Control render={(control) => <Select {...(control as object)} {...choice} />} />
    </Field>
  );
}

interface CheckProps {
  readonly type?: 'checkbox' | 'radio';
  /** The name of a group of radio buttons. */
  readonly name?: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
  readonly children: ReactNode;
}

export function Check({ type = 'checkbox', value, onChange, children, ...others }: CheckProps) {
  return (
    <label className="row">
      <input type={type} checked={value} onChange={({ target }) => onChange(target.checked)} {...others} />
      {children}
    </label>
  );
}

interface ChecksProps<Item> {
  readonly options: Iterable<readonly [item: Item, label: string]>;
  readonly value: readonly Item[];
  readonly onChange: (chosen: readonly Item[]) => void;
}

/** A check box for each choice, side by side. */
export function Checks<Item extends string>({ options, value, onChange }: ChecksProps<Item>) {
  return Array.from(options, ([item, label]) => (
    <Check key={item} value={value.includes(item)} onChange={() => onChange(toggle(value, item))}>
      {label}
    </Check>
  ));
}

/** The selection with this item added or removed. */
export function toggle<Item>(chosen: readonly Item[], item: Item): readonly Item[] {
  return chosen.includes(item) ? chosen.filter((each) => each !== item) : [...chosen, item];
}
