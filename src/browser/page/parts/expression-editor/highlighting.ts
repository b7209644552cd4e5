/**
 * Colours for the parts of an expression. It only inspects the text, so the expression may be invalid or incomplete.
 */
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';

const words =
  /(?<text>r(?<hashes>#*)".*?"\k<hashes>|"(?:[^"\\]|\\.)*"?)|(?<operator>\b(?:and|or|xor|not|eq|ne|lt|le|gt|ge|in|contains|matches|wildcard|strict|bitwise_and)\b)|(?<list>\$[a-z0-9_.]+)|(?<field>\b[a-z_][a-z0-9_]*(?:\.[a-z0-9_]+)+|\bssl\b)|(?<number>\b\d[\da-f.:/]*)/g;

const matcher = new MatchDecorator({
  regexp: words,
  decoration: ({ groups = {} }) => {
    const kind = ['text', 'operator', 'list', 'field', 'number'].find((name) => groups[name] !== undefined);
    return Decoration.mark({ class: `code-${kind}` });
  },
});

class Highlighter {
  decorations: DecorationSet;

  constructor(view: EditorView) {
    this.decorations = matcher.createDeco(view);
  }

  update(update: ViewUpdate): void {
    this.decorations = matcher.updateDeco(update, this.decorations);
  }
}

export const highlighting = ViewPlugin.fromClass(Highlighter, {
  decorations: ({ decorations }) => decorations,
});
