/** The fields of a form, with the props that bind each to its input: `<TextField label="Name" {...bind('name')} />`. */
import { useState } from 'react';

export type Bind<Value> = <Name extends keyof Value>(
  name: Name,
) => { readonly value: Value[Name]; readonly onChange: (next: Value[Name]) => void };

export function bindTo<Value>(value: Value, change: (part: Partial<Value>) => void): Bind<Value> {
  return (name) => ({
    value: value[name],
    onChange: (next) => change({ [name]: next } as unknown as Partial<Value>),
  });
}

/** Fields that only the user changes: those of a search, or of something that does not exist yet. */
export function useFields<Value extends object>(initial: Value | (() => Value)) {
  const [value, setValue] = useState(initial);
  const change = (part: Partial<Value>): void => setValue((before) => ({ ...before, ...part }));
  return { value, change, bind: bindTo(value, change) };
}
