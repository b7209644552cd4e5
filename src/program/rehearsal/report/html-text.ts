/** HTML in which every inserted value is escaped, unless it is already HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Inserted = string | number | Html | readonly (string | number | Html)[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template tag: `html\`<td>${path}</td>\`` escapes the path. */
export function html(parts: TemplateStringsArray, ...values: readonly Inserted[]): Html {
  const pieces = values.map((value, index) => toHtmlText(value) + parts[index + 1]!);
  return new Html(parts[0]! + pieces.join(''));
}

function toHtmlText(value: Inserted): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(toHtmlText).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => escapes[character]!);
}
