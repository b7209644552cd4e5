/** Shared by the editors of expressions and of SQL. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { Annotation, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { getNonce } from '../nonce.ts';
import { ownEdits } from './own-edits.ts';

export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  /** Called after each edit of the user. */
  readonly onChange: (text: string) => void;
  readonly label: string;
  /** The id of the element with the error message. */
  readonly describedBy: string;
  /** The extensions of this editor; their keys take precedence over the shared ones. */
  readonly extensions: Extension;
}

const fromPage = Annotation.define<true>();

export function createEditor(options: EditorOptions): EditorView {
  const { parent, text, onChange, label, describedBy, extensions } = options;
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(getNonce()),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-describedby': describedBy,
          spellcheck: 'false',
        }),
        EditorView.updateListener.of(({ docChanged, transactions, state }) => {
          const isEdit = docChanged && !transactions.some((each) => each.annotation(fromPage) === true);
          if (isEdit) onChange(state.doc.toString());
        }),
        ownEdits,
        history(),
        bracketMatching(),
        extensions,
        keymap.of([...defaultKeymap, ...historyKeymap]),
        theme,
      ],
    }),
  });
}

/** Shows a text of the page, which is not an edit. */
export function showText(view: EditorView, text: string): void {
  const shown = view.state.doc.toString();
  if (shown === text) return;
  view.dispatch({
    changes: { from: 0, to: shown.length, insert: text },
    annotations: fromPage.of(true),
  });
}

const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--raised)', color: 'var(--text)', fontSize: '14px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 10px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
    zIndex: '40',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16em' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--text)',
  },
});
