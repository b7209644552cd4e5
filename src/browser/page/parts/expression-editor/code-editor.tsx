/** CodeMirror for expressions, in a separate chunk: loaded when the first editor is shown. */
import {
  autocompletion,
  closeCompletion,
  type CompletionContext,
  type CompletionResult,
  completionStatus,
} from '@codemirror/autocomplete';
import { setDiagnostics } from '@codemirror/lint';
import { type Extension, Prec } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, placeholder, type Tooltip } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef } from 'react';
import { createEditor, showText } from '../text-editor/create-editor.ts';
import { type Assistance, type AssistQuestion, type ExpressionKind, fetchAssistance } from './assist.ts';
import { highlighting } from './highlighting.ts';

export interface CodeEditorProps extends ExpressionKind {
  readonly zoneId: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  readonly placeholder?: string;
  readonly onEnter?: () => void;
  readonly assistance: Assistance | undefined;
  /** The id of the element with the error message. */
  readonly describedBy: string;
}

export function CodeEditor(props: CodeEditorProps) {
  const { zoneId, value, label, phase, about, assistance, describedBy } = props;
  const frame = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const onChange = useEffectEvent((text: string) => props.onChange(text));
  const getValue = useEffectEvent(() => value);
  const onEnter = useEffectEvent(() => {
    props.onEnter?.();
    return props.onEnter !== undefined;
  });
  const getPlaceholder = useEffectEvent(() => props.placeholder ?? '');
  useEffect(() => {
    const ask = (question: AssistQuestion): Promise<Assistance> =>
      fetchAssistance(zoneId, { ...question, phase, about });
    const view = createEditor({
      parent: frame.current!,
      text: getValue(),
      onChange: (text) => onChange(text),
      label,
      describedBy,
      extensions: [
        placeholder(getPlaceholder()),
        keysFirst,
        Prec.high(keymap.of([{ key: 'Enter', run: () => onEnter() }])),
        highlighting,
        autocompletion({ icons: false, override: [(context) => completeAt(context, ask)] }),
        hoverTooltip((shown, position) => describeAt(shown, position, ask)),
        theme,
      ],
    });
    editor.current = view;
    return () => view.destroy();
  }, [zoneId, phase, about, label, describedBy]);

  useEffect(() => showText(editor.current!, value), [value]);
  useEffect(() => showDiagnostics(editor.current!, assistance), [assistance]);
  return <div ref={frame} className="code-editor" />;
}

/** Escape closes the list of completions, not the surrounding dialog. */
const keysFirst: Extension = Prec.highest(
  keymap.of([
    {
      key: 'Escape',
      run: (view) => completionStatus(view.state) !== null && closeCompletion(view),
      stopPropagation: true,
    },
  ]),
);

type Ask = (question: AssistQuestion) => Promise<Assistance>;

function showDiagnostics(view: EditorView, assistance: Assistance | undefined): void {
  const { length } = view.state.doc;
  // An empty text is not an error yet.
  const found = length === 0 ? [] : (assistance?.diagnostics ?? []);
  const diagnostics = found.map(({ start, end, severity, message, hint }) => {
    // An empty range, such as the end of the text, is marked at the character before it.
    const to = Math.min(Math.max(end, start + 1), length);
    const from = Math.max(0, Math.min(start, to - 1));
    return { from, to, severity, message: hint === undefined ? message : `${message}: ${hint}` };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

async function completeAt(context: CompletionContext, ask: Ask): Promise<CompletionResult | null> {
  if (!context.explicit && context.matchBefore(/[\w.$]+$/) === null) return null;
  try {
    const { completions } = await ask({ expression: context.state.doc.toString(), position: context.pos });
    if (context.aborted || completions.items.length === 0) return null;
    return {
      from: completions.start,
      options: completions.items.map(({ label, detail, summary, kind }) => ({
        label,
        type: kind,
        detail,
        ...(summary === '' ? {} : { info: summary }),
      })),
      validFor: /^[\w.$]*$/,
    };
  } catch {
    // Without completion it is still an editor; connection problems are reported where they matter, on saving.
    return null;
  }
}

async function describeAt(view: EditorView, position: number, ask: Ask): Promise<Tooltip | null> {
  const expression = view.state.doc.toString();
  const found = await ask({ expression, position }).then(
    ({ hover }) => hover,
    () => null,
  );
  if (found === null || view.state.doc.toString() !== expression) return null;
  return {
    pos: found.start,
    end: found.end,
    above: true,
    create: () => ({ dom: createTooltip(found.title, found.summary) }),
  };
}

function createTooltip(title: string, summary: string): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'code-tooltip';
  const name = document.createElement('code');
  name.textContent = title;
  const text = document.createElement('p');
  text.textContent = summary;
  dom.append(name, text);
  return dom;
}

const theme = EditorView.theme({
  '.cm-placeholder': { color: 'var(--text-soft)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
  '.cm-completionDetail': { color: 'var(--text-soft)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { color: 'var(--accent)', textDecoration: 'none', fontWeight: '600' },
  '.cm-tooltip.cm-completionInfo': { padding: '8px 10px', maxWidth: '320px' },
  '.cm-diagnostic': { padding: '6px 10px', borderLeft: '4px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-lintRange-error, .cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad) 1.5px',
    textUnderlineOffset: '4px',
    textDecorationSkipInk: 'none',
  },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn)' },
  '.cm-lintRange-error': { backgroundColor: 'var(--bad-soft)' },
});
