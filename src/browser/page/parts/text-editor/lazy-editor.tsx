/** An editor in a separate chunk. If it cannot be loaded, without a connection, the form around it must not be lost. */
import { type ComponentType, lazy } from 'react';

interface PlainEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The action of Ctrl Enter. */
  readonly onRun?: (text: string) => void;
  readonly label: string;
  /** The id of the element with the error message. */
  readonly describedBy: string;
  readonly placeholder?: string;
}

export function lazyEditor<Props extends PlainEditorProps>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      return { default: PlainEditor as ComponentType<Props> };
    }
  });
}

function PlainEditor({ value, onChange, onRun, label, describedBy, placeholder }: PlainEditorProps) {
  return (
    <textarea
      className="input mono"
      rows={3}
      spellCheck={false}
      aria-label={label}
      aria-describedby={describedBy}
      placeholder={placeholder}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={({ key, ctrlKey, metaKey }) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) onRun?.(value);
      }}
    />
  );
}
