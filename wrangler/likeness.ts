/**
 * Whether two outputs of Wrangler are equivalent: a recorded one, and a current one. Ids differ, but the same id occurs
 * in the same places; times, sizes and addresses differ.
 */
const id = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}/g;

export class Likeness {
  /** Current ids by those of the recording. */
  readonly #ids = new Map<string, string>();

  know(recorded: string, now: string): void {
    this.#ids.set(recorded, now);
  }

  /** An argument or a file of the recording, with the current ids. */
  translate(argument: string): string {
    return argument.replaceAll(id, (recorded) => this.#ids.get(recorded) ?? recorded);
  }

  /** Maps the ids in the output of another version of Wrangler to those of the recording, in order. */
  learn(recorded: readonly string[], said: string): void {
    const [before, now] = [recorded.join('\n'), said].map((text) => text.match(id) ?? []);
    for (const [index, each] of before!.entries())
      if (!this.#ids.has(each) && now![index] !== undefined) this.#ids.set(each, now![index]);
  }

  /** The first differing line, recorded and current. */
  compare(recorded: readonly string[], said: string): readonly [string, string] | undefined {
    const [before, now] = [clean(recorded), clean(said.split('\n'))];
    for (let index = 0; index < Math.max(before.length, now.length); index++) {
      const [one = '', other = ''] = [before[index], now[index]];
      if (!this.#isAlike(one, other)) return [one, other];
    }
    return undefined;
  }

  #isAlike(recorded: string, now: string): boolean {
    const [before, after] = [recorded.match(id) ?? [], now.match(id) ?? []];
    if (before.length !== after.length) return false;
    for (const [index, each] of before.entries()) {
      const known = this.#ids.get(each);
      if (known === undefined) this.#ids.set(each, after[index]!);
      else if (known !== after[index]) return false;
    }
    return recorded.replaceAll(id, 'ID') === now.replaceAll(id, 'ID');
  }
}

/** The text that is the same in every run. Tables have varying widths. */
function clean(lines: readonly string[]): string[] {
  return lines
    .map((line) =>
      toPlain(line)
        .replaceAll(/wrangler \d[\w.-]*(?: \(update available.*\))?/g, 'wrangler VERSION')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replaceAll(/https?:\/\/(?:<server>|[\w.-]+)(?::\d+)?/g, 'URL')
        .replaceAll(/\b[\w-]+\.workers\.example\b(?::\d+)?/g, 'URL')
        .replaceAll(/\(?(?:[\d.]+|…) ?(?:KiB|MiB|kB|MB|B|ms|sec)\b\)?/g, 'SIZE')
        .replaceAll(/[─-╿]+/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '' && !line.startsWith('🪵 Logs were written'));
}

/** Without the colours of a terminal. */
export function toPlain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- that is how they are written
  return text.replaceAll(/\x1b\[[\d;]*m/g, '');
}
