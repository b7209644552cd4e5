/** Patterns of paths in `_headers`, `_redirects` and `run_worker_first`: `*` matches anything, `:name` one part. */
export interface PathPattern {
  /** The values of the placeholders; undefined if the path does not match. */
  match(url: URL): Readonly<Record<string, string>> | undefined;
}

export function parsePathPattern(text: string): PathPattern {
  const isWhole = /^https?:\/\//.test(text);
  const source = text.replace(/\*|:[A-Za-z]\w*|[^*:]+|:/g, (part) => {
    if (part === '*') return '(?<splat>.*)';
    return /^:[A-Za-z]/.test(part) ? `(?<${part.slice(1)}>[^/]+)` : RegExp.escape(part);
  });
  const pattern = compile(source);
  return {
    match(url) {
      const subject = isWhole ? `${url.origin}${url.pathname}` : url.pathname;
      const found = pattern.exec(subject);
      return found === null ? undefined : { ...found.groups };
    },
  };
}

/** A name can be a placeholder only once: repetitions match literally. */
function compile(source: string): RegExp {
  const seen = new Set<string>();
  const unique = source.replace(/\(\?<(\w+)>/g, (group, name: string) => {
    if (seen.has(name)) return '(?:';
    seen.add(name);
    return group;
  });
  return new RegExp(`^${unique}$`);
}

/** Replaces the placeholders in a text by their values. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/:([A-Za-z]\w*)/g, (whole, name: string) => values[name] ?? whole);
}
